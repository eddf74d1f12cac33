// The analysis of a finished game: how it stood, what each decision lost, the mistakes, and a summary per player.
import { capital, figure, fold, h, roomy, s, scroller } from "./dom.js";
import { action } from "./say.js";
import { call } from "./server.js";
import { signed } from "./thinking.js";

const COLOURS = ["var(--accent)", "#c2410c", "#2563eb", "#9333ea"];

/** The analysis as elements; `said` says what a decision was, `go` shows a move, and `again` plays on from before it. */
export function analysis(found, names, said, go, again) {
  const judged = h("p", { class: "quiet small" }, `Judge: ${found.judge}. ${capital(found.note)}.${leftOut(found)}`);
  return h("div", { class: "page" }, summary(found), curve(found, names, go), questions(found, names), mistakes(found, said, go, again), figures(found), judged);
}

/** How many decisions the judge could not value. */
function leftOut({ decisions }) {
  const count = decisions.filter(({ made, loss }) => made && loss === null).length;
  return count ? ` ${count} ${count === 1 ? "decision is" : "decisions are"} left out, because the judge has no such values there.` : "";
}

function summary({ players, unit }) {
  const luck = players.some((player) => player.luck !== null);
  const heads = ["", "Decisions", `Mean loss (${unit})`, "Doubtful", "Blunders", ...(luck ? [`Luck (${unit})`, "Result without luck"] : [])];
  const row = (player) => {
    const cells = [player.decisions, figure(player.mean_loss), player.doubtful, player.blunders, ...(luck ? [player.luck === null ? "–" : signed(player.luck), player.adjusted === null ? "–" : signed(player.adjusted)] : [])];
    return h("tr", null, h("th", { scope: "row" }, capital(player.name)), cells.map((cell) => h("td", { class: "number" }, cell)));
  };
  const head = h("tr", null, heads.map((text, place) => (text ? h("th", { scope: "col", class: place ? "number" : "" }, text) : h("td"))));
  return scroller("Summary", "grid-scroll", h("table", { class: "summary" }, h("thead", null, head), h("tbody", null, players.map(row))));
}

/** Each seat's expected result over the game; a click shows the nearest decision. */
function curve({ decisions, standing_unit: unit }, names, go) {
  const points = decisions.filter(({ standing }) => standing !== null);
  if (points.length < 2) return "";
  const [WIDE, HIGH, EDGE] = roomy() ? [900, 240, 52] : [360, 200, 44]; // the letters keep their size
  const [first, last] = [points[0].move, points.at(-1).move];
  const values = points.map(({ standing }) => standing);
  const share = unit.endsWith("%"); // a chance, from 0 to 100
  const reach = Math.max(...values.map(Math.abs)) || 1;
  const [low, middle, high] = share ? [0, 50, 100] : [-reach, 0, reach];
  const x = (move) => EDGE + ((WIDE - EDGE - 8) * (move - first)) / Math.max(1, last - first);
  const y = (value) => HIGH / 2 - ((HIGH / 2 - 14) * (value - middle)) / (high - middle);
  const seats = names.map((_, seat) => seat);
  const line = (seat) => {
    const own = points.filter((point) => point.seat === seat).map(({ move, standing }) => `${x(move).toFixed(1)},${y(standing).toFixed(1)}`);
    const drawn = s("polyline", { points: own.join(" "), class: "mean" });
    drawn.style.stroke = COLOURS[seats.indexOf(seat)];
    return drawn;
  };
  const marks = decisions.filter(({ grade }) => grade).map(({ move }) => s("line", { x1: x(move), x2: x(move), y1: HIGH - 12, y2: HIGH - 4, class: "mistake" }));
  const scale = [high, middle, low].map((value) => s("text", { x: EDGE - 6, y: y(value) + 4, "text-anchor": "end" }, figure(value)));
  const svg = s("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "chart", role: "img", "aria-label": `Expected result over the game, in ${unit}` }, s("line", { x1: EDGE, x2: WIDE - 8, y1: y(middle), y2: y(middle), class: "grid" }), scale, marks, seats.map(line));
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const at = ((event.clientX - box.x) / box.width) * WIDE;
    go(points.reduce((best, point) => (Math.abs(x(point.move) - at) < Math.abs(x(best.move) - at) ? point : best)).move);
  });
  const legend = seats.map((seat, place) => {
    const sign = h("i", { class: "swatch" });
    sign.style.background = COLOURS[place];
    return h("span", null, sign, capital(names[seat]));
  });
  return h("figure", null, h("figcaption", { class: "row small quiet" }, `${capital(unit)}:`, legend), svg);
}

function mistakes({ decisions, unit }, said, go, again) {
  const found = decisions.filter(({ grade }) => grade).sort((a, b) => b.loss - a.loss);
  if (!found.length) return decisions.some(({ made }) => made) ? h("p", null, "The judge finds no mistakes.") : "";
  const item = (decision) => {
    const { move, best, loss, grade } = decision;
    const words = h("div", null, h("strong", null, said(decision)), h("span", { class: "quiet" }, ` · ${grade}, −${figure(loss)} ${unit} · better: ${best}`));
    const buttons = [h("button", { type: "button", onclick: () => go(move) }, "Show"), decision.again ? action("Play it again from here", () => again(move)) : ""];
    return h("li", { "data-mistake": move }, words, h("div", { class: "row" }, buttons), fold("Best moves", null, candidates(decision, unit)));
  };
  return h("section", { "aria-label": "Mistakes" }, h("h3", null, `Mistakes (${found.length})`), h("ol", { class: "mistakes" }, found.map(item)));
}

/** Decisions that a file leaves open: the best moves there. */
function questions({ decisions, unit }, names) {
  return decisions.filter(({ made, choices }) => !made && choices.length).map((decision) => h("section", { "aria-label": "Best moves" }, h("h3", null, `${capital(names[decision.seat])}: the best moves`), candidates(decision, unit)));
}

function candidates({ choices }, unit) {
  const head = ["Move", `Value (${unit})`, "Loss"].map((text, place) => h("th", { scope: "col", class: place ? "number" : "" }, text));
  const row = ({ words, value, loss }) => h("tr", null, h("td", null, words), [signed(value), figure(loss)].map((text) => h("td", { class: "number" }, text)));
  return scroller("Best moves", "grid-scroll", h("table", null, h("thead", null, h("tr", null, head)), h("tbody", null, choices.map(row))));
}

/** More numbers of the game's own analysis, such as performance ratings. */
function figures({ players }) {
  const names = Object.keys(players[0].figures);
  if (!names.length) return "";
  const head = h("tr", null, h("td"), players.map(({ name }) => h("th", { scope: "col", class: "number" }, capital(name))));
  const row = (name) => h("tr", null, h("th", { scope: "row" }, capital(name)), players.map((player) => h("td", { class: "number" }, figure(player.figures[name]))));
  return fold("More figures", null, scroller("More figures", "grid-scroll", h("table", null, h("thead", null, head), h("tbody", null, names.map(row)))));
}

/** The decisions of all games of a file added up, and a row for each game. */
export function totals(games, link) {
  const names = [...new Set(games.flatMap(({ players }) => players.map(({ name }) => name)))];
  const added = (parts, word) => parts.reduce((sum, player) => sum + player[word], 0);
  const sum = (name) => {
    const parts = games.flatMap(({ players }) => players.filter((player) => player.name === name));
    const decisions = added(parts, "decisions");
    return [decisions, figure(decisions ? added(parts, "loss") / decisions : 0), added(parts, "doubtful"), added(parts, "blunders"), parts.every(({ luck }) => luck !== null) ? signed(added(parts, "luck")) : "–"];
  };
  const heads = ["Decisions", `Mean loss (${games[0].unit})`, "Doubtful", "Blunders", "Luck"];
  const head = (texts) => h("thead", null, h("tr", null, h("td"), texts.map((text) => h("th", { scope: "col", class: "number" }, text))));
  const cells = (values) => values.map((value) => h("td", { class: "number" }, value));
  const whole = h("table", { class: "summary" }, head(heads), h("tbody", null, names.map((name) => h("tr", null, h("th", { scope: "row" }, capital(name)), cells(sum(name))))));
  const row = ({ players }, number) => h("tr", null, h("th", { scope: "row" }, h("a", { href: `${link(number)}&analyse=1` }, `Game ${number + 1}`)), cells(names.map((name) => figure(players.find((player) => player.name === name)?.mean_loss))));
  const each = h("table", null, head(names.map((name) => `Mean loss of ${name}`)), h("tbody", null, games.map(row)));
  return h("div", { class: "page" }, scroller("All games", "grid-scroll", whole), scroller("Each game", "grid-scroll", each));
}

/** Open a table that goes on before a move of a finished game. */
export async function playAgain(path, game, number) {
  const { id } = await call(`${path}/again`, { game, number });
  location.hash = `#/play/${id}`;
}
