// Input sequences: each legal move has sequences of parts to click. The parts clicked so far determine what may follow.

const begins = (sequence, touched) => touched.every((part, place) => sequence[place] === part);

/** The parts that may be clicked next, each with the move that it completes, or null if the move needs more clicks. */
export function nextParts(legal, touched) {
  const parts = new Map();
  for (const { move, touches } of legal) {
    for (const sequence of touches) {
      if (sequence.length <= touched.length || !begins(sequence, touched)) continue;
      const part = sequence[touched.length];
      if (sequence.length === touched.length + 1) parts.set(part, move);
      else if (!parts.has(part)) parts.set(part, null);
    }
  }
  return parts;
}

/** The legal moves that are still possible after these clicks. */
export function possibleMoves(legal, touched) {
  return legal.filter(({ touches }) => !touched.length || touches.some((sequence) => begins(sequence, touched)));
}
