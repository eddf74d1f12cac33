// Explanations of a player's choice: its inputs, every candidate with its value, and its network.
import { capital, figure, fold, h, picture, scroller } from "./dom.js";

const FIRST = 40; // inputs shown at first

/** Candidates as bars, the best first; with `act`, each is a button. */
export function bars(candidates, scale = null, act = null) {
  const values = candidates.map(({ value }) => value).filter((value) => value !== null && value !== undefined);
  const [low, high] = scale ?? [Math.min(...values), Math.max(...values)];
  const ordered = [...candidates].sort((a, b) => (b.value ?? -Infinity) - (a.value ?? -Infinity) || b.chosen - a.chosen);
  return h("div", { class: "bars" }, ordered.map((candidate) => bar(candidate, low, high, act)));
}

function bar({ move, words, value, chosen }, low, high, act) {
  const known = value !== null && value !== undefined;
  const filled = h("i");
  if (known) filled.style.width = `${Math.max(3, high > low ? (100 * (value - low)) / (high - low) : 100)}%`;
  const inside = [
    h("span", null, words, chosen && h("span", { class: "unseen" }, ", chosen"), chosen && " ★"),
    known ? h("span", { class: "rail", "aria-hidden": "true" }, filled) : h("span"),
    h("span", { class: "value" }, known ? figure(value) : ""),
  ];
  const look = `bar${chosen ? " chosen" : ""}`;
  return act ? h("button", { type: "button", class: look, title: "Play this move", onclick: () => act(move) }, inside) : h("div", { class: look }, inside);
}

/** Moves as bars, the best first and full; what is missing is what a move loses, on a scale on which a blunder is visible. */
export function lossBars({ candidates, value, unit, blunder }, act) {
  const known = candidates.filter(({ loss }) => loss !== null);
  const reach = Math.max(blunder ?? 0, ...known.map(({ loss }) => loss)) || 1;
  const row = ({ move, words, loss }) => {
    const filled = h("i");
    if (loss !== null) filled.style.width = `${Math.max(2, 100 * (1 - loss / reach))}%`;
    const amount = loss === null ? "" : loss ? `−${figure(loss)}` : value === null ? "best" : signed(value);
    const inside = [h("span", null, capital(words)), loss === null ? h("span") : h("span", { class: "rail", "aria-hidden": "true" }, filled), h("span", { class: "value" }, amount)];
    return h("button", { type: "button", class: `bar${loss === 0 ? " chosen" : ""}`, title: "Play this move", onclick: () => act(move) }, inside);
  };
  const about = unit ? `Expected ${unit}, and what other moves lose` : "What other moves lose, on the player's own scale";
  return h("div", null, h("p", { class: "quiet small" }, about), h("div", { class: "bars scroll" }, candidates.map(row)));
}

/** A number with its sign. */
export const signed = (value) => `${value < 0 ? "−" : "+"}${figure(Math.abs(value))}`;

function inputs({ encoding, inputs: all }) {
  const row = ({ label, value }) => h("tr", null, h("td", null, label), h("td", { class: "number" }, figure(value)));
  const body = h("tbody", null, all.slice(0, FIRST).map(row));
  const rest = all.slice(FIRST).map(row);
  const more = h("button", { type: "button", class: "plain", onclick: () => [body.append(...rest), more.remove()] }, `${rest.length} more`);
  const head = h("thead", null, h("tr", null, h("th", { scope: "col" }, "Input"), h("th", { scope: "col", class: "number" }, "Value")));
  return h(
    "section",
    null,
    h("h3", null, "Inputs"),
    h("p", { class: "quiet small" }, encoding ? `Encoding “${encoding}”, nonzero inputs first` : ""),
    scroller("Inputs", "scroll", h("table", null, head, body), rest.length ? more : null),
  );
}

/** The server's explanation of a player's choice. */
export function explanation({ saw, candidates, network, note, player }) {
  const values = h("section", null, h("h3", null, `Value of each move for ${player}`), scroller("Candidates", "scroll", bars(candidates)));
  return h(
    "div",
    { class: "thinking" },
    note && h("p", { class: "quiet" }, capital(note)),
    h("div", { class: "columns" }, values, saw?.inputs?.length ? inputs(saw) : null),
    network && fold("Network", { open: true }, scroller("Network", "network", picture(network))),
  );
}
