// A person's record against each opponent, with intervals: a part of the page of their games.
import { capital, figure, h, percent, prose, ruled, scroller } from "./dom.js";
import { call } from "./server.js";

export async function show() {
  const { records, studies } = await call("/api/record");
  if (!records.length) return [];
  const about = h("p", { class: "quiet" }, "Every finished game counts, and a game that you resign as lost. Intervals are 95% and narrow as you play.");
  return [h("h2", null, "Your record"), about, own(records), ...studies.map(study)];
}

/** A value with its interval, which a single observation does not have. */
const interval = ({ mean, low, high }, words) => (low === null || high === null ? words(mean) : `${words(mean)} (${words(low)} to ${words(high)})`);

function own(records) {
  const head = (text, look) => h("th", { scope: "col", class: look }, text);
  const row = (record) => {
    const numbers = [record.games, record.wins, interval(record.win_rate, percent), interval(record.score, figure), interval(record.others_score, figure)];
    return h("tr", null, h("th", { scope: "row" }, capital(ruled(record.game))), h("td", null, record.against.join(", ")), numbers.map((text) => h("td", { class: "number" }, text)));
  };
  const heads = h("tr", null, ["Game", "Against"].map((text) => head(text)), ["Games", "Won", "Win rate", "Your score", "Opponents' score"].map((text) => head(text, "number")));
  const table = h("table", null, h("thead", null, heads), h("tbody", null, records.map(row)));
  return h("section", { class: "sheet", "aria-label": "Against each player" }, scroller("Record, scrolls sideways", "grid-scroll", table));
}

/** A study's table of people's games, with these games for comparison. */
function study({ title, note, head, rows }) {
  const cells = (row) => row.map((text) => h("td", null, typeof text === "number" ? figure(text) : prose(text ?? "–")));
  const heads = h("tr", null, head.map((text) => h("th", { scope: "col" }, text)));
  const table = h("table", null, h("thead", null, heads), h("tbody", null, rows.map((row) => h("tr", null, cells(row)))));
  return h("section", { class: "sheet", "aria-label": title }, h("h2", null, prose(title)), note && h("p", { class: "quiet" }, prose(note)), h("div", { class: "grid-scroll" }, table));
}
