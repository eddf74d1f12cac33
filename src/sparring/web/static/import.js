// Files of games from elsewhere: chosen or dropped, sent to the server, then replayed and analysed.
import { h } from "./dom.js";
import { form } from "./say.js";
import { call, inside } from "./server.js";

const LARGEST = 512 * 1024; // bytes, as the server allows

/** A form that sends a file and opens its first game with its analysis. */
export function importForm(games) {
  const suffixes = [".log", ...games.flatMap(({ analyst }) => analyst?.suffixes ?? [])];
  const input = h("input", { type: "file", accept: suffixes.join(","), required: true, "data-import": true });
  const send = async () => {
    const [file] = input.files;
    if (file.size > LARGEST) throw new Error(`${file.name}: larger than ${LARGEST / 1024} KiB`);
    const { name } = await call(`/api/imports?name=${encodeURIComponent(file.name)}`, file);
    location.hash = `#/replay/${inside(name)}?game=0&move=0&analyse=1`;
  };
  const readers = games.filter(({ analyst }) => analyst).map(({ name, analyst }) => `${name}: ${analyst.suffixes.join(", ")}`);
  const note = h("small", null, `Logs of all games (.log)${readers.length ? `; of other programs for ${readers.join("; ")}` : ""}. At most ${LARGEST / 1024} KiB.`);
  return form("Import and analyse", send, h("label", null, "A file of games", input, note))[0];
}
