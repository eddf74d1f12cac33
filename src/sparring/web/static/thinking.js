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
