// A person's own record: how they do against each player, and how sure that is.
import { capital, figure, h, percent, ruled } from "./dom.js";
import { call } from "./server.js";

export async function show() {
  const { records, studies } = await call("/api/record");
  return [
    h("div", { class: "head" }, h("h1", null, "Your record"), h("p", null, "Every game that you finish counts. Intervals are 95%: they narrow as you play.")),
    records.length ? own(records) : h("div", { class: "empty" }, h("p", null, "No game is finished yet."), h("p", null, h("a", { class: "button main", href: "#/" }, "Play one"))),
    ...studies.map(beside),
  ];
}

/** A value with its interval; one observation has none. */
const spanned = ({ mean, low, high }, words) => (low === null || high === null ? words(mean) : `${words(mean)} (${words(low)} to ${words(high)})`);

function own(records) {
  const number = (text) => h("td", { class: "number" }, text);
  return h(
    "section",
    { class: "sheet", "aria-label": "Against each player" },
    h(
      "div",
      { class: "grid-scroll", tabindex: "0", role: "region", "aria-label": "Record, scrolls sideways" },
      h(
        "table",
        null,
        h("thead", null, h("tr", null, ["Game", "Against"].map((text) => h("th", { scope: "col" }, text)), ["Games", "Won", "Share won", "Your score", "Theirs"].map((text) => h("th", { scope: "col", class: "number" }, text)))),
        h(
          "tbody",
          null,
          records.map((record) =>
            h("tr", null, h("th", { scope: "row" }, capital(ruled(record.game))), h("td", null, record.against.join(", ")), number(record.games), number(record.wins), number(spanned(record.win_rate, percent)), number(spanned(record.score, figure)), number(spanned(record.others_score, figure))),
          ),
        ),
      ),
    ),
  );
}

/** A study's table of people's games with ours beside it. */
function beside({ title, note, head, rows }) {
  return h(
    "section",
    { class: "sheet", "aria-label": title },
    h("h2", null, title),
    note && h("p", { class: "quiet" }, note),
    h("div", { class: "grid-scroll" }, h("table", null, h("thead", null, h("tr", null, head.map((text) => h("th", { scope: "col" }, text)))), h("tbody", null, rows.map((row) => h("tr", null, row.map((text) => h("td", null, typeof text === "number" ? figure(text) : text ?? "–"))))))),
  );
}
