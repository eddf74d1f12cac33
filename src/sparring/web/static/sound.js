// Short sounds for moves and ends, made by the browser; off until somebody switches them on.
let audio = null;

const TUNES = { move: [[220, 0, 0.06]], turn: [[440, 0, 0.08], [660, 0.09, 0.1]], end: [[392, 0, 0.12], [494, 0.12, 0.12], [587, 0.24, 0.25]] };

export const sounding = () => localStorage.getItem("sound") === "yes";

/** Play a tune: each note is a frequency, when it begins and how long it lasts, in seconds. */
export function sound(name) {
  if (!sounding()) return;
  audio ??= new AudioContext();
  for (const [frequency, begins, lasts] of TUNES[name]) {
    const [note, loudness, at] = [audio.createOscillator(), audio.createGain(), audio.currentTime + begins];
    note.type = "triangle";
    note.frequency.value = frequency;
    loudness.gain.setValueAtTime(0.12, at);
    loudness.gain.exponentialRampToValueAtTime(0.001, at + lasts);
    note.connect(loudness).connect(audio.destination);
    note.start(at);
    note.stop(at + lasts);
  }
}
