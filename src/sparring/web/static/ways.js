// Moves made by hand: each has ways, the parts that are touched in order. What has been touched decides what may follow.

const begins = (way, touched) => touched.every((part, place) => way[place] === part);

/** The parts that may be touched next, each with the move that it completes, or null while there is more to touch. */
export function following(legal, touched) {
  const parts = new Map();
  for (const { move, touches } of legal) {
    for (const way of touches) {
      if (way.length <= touched.length || !begins(way, touched)) continue;
      const part = way[touched.length];
      if (way.length === touched.length + 1) parts.set(part, move);
      else if (!parts.has(part)) parts.set(part, null);
    }
  }
  return parts;
}

/** The legal moves that what has been touched leaves open. */
export function open(legal, touched) {
  return legal.filter(({ touches }) => !touched.length || touches.some((way) => begins(way, touched)));
}
