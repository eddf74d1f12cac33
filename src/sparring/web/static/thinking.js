// What a player saw and thought: its inputs, every candidate with its value, and its network.
import { capital, figure, fold, h, picture } from "./dom.js";

const FIRST = 40; // inputs shown at once

/** Candidates as bars, the best first; `act` makes each a button. */
export function bars(candidates, scale = null, act = null) {
  const values = candidates.map(({ value }) => value).filter((value) => value !== null && value !== undefined);
  const [low, high] = scale ?? [Math.min(...values), Math.max(...values)];
  const ordered = [...candidates].sort((a, b) => (b.value ?? -Infinity) - (a.value ?? -Infinity) || b.chosen - a.chosen);
  return h("div", { class: "bars" }, ordered.map((candidate) => bar(candidate, low, high, act)));
}

function bar({ move, words, value, chosen }, low, high, act) {
  const told = value !== null && value !== undefined;
  const filled = h("i");
  if (told) filled.style.width = `${Math.max(3, high > low ? (100 * (value - low)) / (high - low) : 100)}%`;
  const inside = [
    h("span", null, words, chosen && h("span", { class: "unseen" }, ", its choice"), chosen && " ★"),
    told ? h("span", { class: "rail", "aria-hidden": "true" }, filled) : h("span"),
    h("span", { class: "value" }, told ? figure(value) : ""),
  ];
  const look = `bar${chosen ? " chosen" : ""}`;
  return act ? h("button", { type: "button", class: look, title: "Play this", onclick: () => act(move) }, inside) : h("div", { class: look }, inside);
}

function inputRows(inputs) {
  return inputs.map(({ label, value }) => h("tr", null, h("td", null, label), h("td", { class: "number" }, figure(value))));
}

function inputs(saw) {
  const body = h("tbody", null, inputRows(saw.inputs.slice(0, FIRST)));
  const rest = saw.inputs.slice(FIRST);
  const more = h(
    "button",
    {
      type: "button",
      class: "plain",
      onclick: () => {
        body.append(...inputRows(rest));
        more.remove();
      },
    },
    `${rest.length} more`,
  );
  const head = h("thead", null, h("tr", null, h("th", { scope: "col" }, "Input"), h("th", { scope: "col", class: "number" }, "Value")));
  return h(
    "section",
    null,
    h("h3", null, "What it saw"),
    h("p", { class: "quiet small" }, saw.encoding ? `The input “${saw.encoding}”, what is not 0 first` : ""),
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Inputs" }, h("table", null, head, body), rest.length ? more : null),
  );
}

/** All that the server says about a player's thinking. */
export function thought(thinking) {
  const { saw, candidates, network, note, player } = thinking;
  return h(
    "div",
    { class: "thinking" },
    note && h("p", { class: "quiet" }, capital(note)),
    h(
      "div",
      { class: "columns" },
      h(
        "section",
        null,
        h("h3", null, `What ${player} made of each move`),
        h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Candidates" }, bars(candidates)),
      ),
      saw?.inputs?.length ? inputs(saw) : null,
    ),
    network && fold("Its network", { open: true }, h("div", { class: "network", tabindex: "0", role: "region", "aria-label": "Network" }, picture(network))),
  );
}
