// The analysis of a finished game: how it stood, what each decision lost, the mistakes, and a summary per player.
import { capital, figure, h, s, scroller } from "./dom.js";
import { action } from "./say.js";
import { call } from "./server.js";
import { signed } from "./thinking.js";

const [WIDE, HIGH, EDGE] = [640, 200, 34]; // of the curve
const COLOURS = ["var(--accent)", "#c2410c", "#2563eb", "#9333ea"];

/** The analysis as elements; `go` shows a move, and `again` plays on from before it. */
export function analysis(found, names, go, again) {
  return h("div", { class: "page" }, summary(found), curve(found, names, go), mistakes(found, names, go, again), h("p", { class: "quiet small" }, `Judge: ${found.judge}. ${capital(found.note)}.`));
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
  const [first, last] = [points[0].move, points.at(-1).move];
  const reach = Math.max(...points.map(({ standing }) => Math.abs(standing))) || 1;
  const x = (move) => EDGE + ((WIDE - EDGE - 8) * (move - first)) / Math.max(1, last - first);
  const y = (value) => HIGH / 2 - ((HIGH / 2 - 14) * value) / reach;
  const seats = names.map((_, seat) => seat);
  const line = (seat) => {
    const own = points.filter((point) => point.seat === seat).map(({ move, standing }) => `${x(move).toFixed(1)},${y(standing).toFixed(1)}`);
    const drawn = s("polyline", { points: own.join(" "), class: "mean" });
    drawn.style.stroke = COLOURS[seats.indexOf(seat)];
    return drawn;
  };
  const marks = decisions.filter(({ grade }) => grade).map(({ move }) => s("line", { x1: x(move), x2: x(move), y1: HIGH - 12, y2: HIGH - 4, class: "mistake" }));
  const scale = [reach, 0, -reach].map((value) => s("text", { x: EDGE - 6, y: y(value) + 4, "text-anchor": "end" }, figure(value)));
  const svg = s("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "chart", role: "img", "aria-label": `Expected result over the game, in ${unit}` }, s("line", { x1: EDGE, x2: WIDE - 8, y1: y(0), y2: y(0), class: "grid" }), scale, marks, seats.map(line));
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

function mistakes({ decisions, unit }, names, go, again) {
  const found = decisions.filter(({ grade }) => grade).sort((a, b) => b.loss - a.loss);
  if (!found.length) return h("p", null, "The judge finds no mistakes.");
  const item = ({ move, seat, made, best, loss, grade }) =>
    h("li", { "data-mistake": move }, h("div", null, h("strong", null, `${capital(names[seat])}: ${made}`), h("span", { class: "quiet" }, ` · ${grade}, −${figure(loss)} ${unit} · better: ${best}`)),
      h("div", { class: "row" }, h("button", { type: "button", onclick: () => go(move) }, "Show"), action("Play it again from here", () => again(move))));
  return h("section", { "aria-label": "Mistakes" }, h("h3", null, `Mistakes (${found.length})`), h("ol", { class: "mistakes" }, found.map(item)));
}

/** Open a table that goes on before a move of a finished game. */
export async function playAgain(path, game, number) {
  const { id } = await call(`${path}/again`, { game, number });
  location.hash = `#/play/${id}`;
}
