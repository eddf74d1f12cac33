// The points of every round of a game.
import { capital, figure, h } from "./dom.js";

/** A table with a row for each player, and a column for each round and the total; empty before the first round is over. */
export function scorecard({ scorecard: rounds, names }) {
  if (!rounds.length) return "";
  const word = rounds[0][0].replace(/ \d+$/, "");
  const title = (name) => capital(name.replace(`${word} `, ""));
  const head = h("tr", null, h("th", { scope: "col" }, capital(word)), rounds.map(([name]) => h("th", { scope: "col", class: "number" }, title(name))));
  const row = (name, seat) => h("tr", null, h("th", { scope: "row" }, capital(name)), rounds.map(([, points]) => h("td", { class: "number" }, figure(points[seat]))));
  return h("div", { class: "grid-scroll", tabindex: "0", role: "region", "aria-label": "Scorecard" }, h("table", { class: "scorecard" }, h("thead", null, head), h("tbody", null, names.map(row))));
}
