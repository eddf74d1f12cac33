// SVG charts: curves with bands, and points with intervals.
import { figure, h, s } from "./dom.js";

const HIGH = 260;
const LEFT = 52;
const RIGHT = 14;
const TOP = 12;
const BELOW = 32;

/** Round numbers from low to high, about `about` of them. */
export function ticks(low, high, about) {
  if (!(high > low)) return [low];
  const rough = (high - low) / about;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough);
  const first = Math.ceil(low / step - 1e-9) * step;
  return Array.from({ length: Math.floor((high - first) / step + 1e-9) + 1 }, (_, place) => Number((first + place * step).toPrecision(10)));
}

const narrow = () => innerWidth < 720;
const short = (value) => value.toLocaleString("en", { notation: Math.abs(value) >= 1e5 ? "compact" : "standard" });
const finite = (values) => values.filter((value) => Number.isFinite(value));

function line(points) {
  return points.filter(([, y]) => Number.isFinite(y)).map(([x, y], place) => `${place ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
}

export const COLOURS = ["var(--accent)", "#d55e00", "#56b4e9", "#cc79a7", "#e69f00", "#9333ea"];

const range = (values) => {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return least === most ? [least - 1, most + 1] : [least, most];
};

/** Learning curves in one picture: of each run `{ name, steps, mean, low, high, trials }` the mean, its band and, if it is alone, its trials. */
export function curve(title, runs) {
  const shown = runs.filter(({ steps, mean }) => steps.length && finite(mean).length);
  if (!shown.length) return h("p", { class: "empty" }, "No measurements yet.");
  const wide = narrow() ? 340 : 480;
  const single = shown.length === 1;
  const [least, most] = range(finite(shown.flatMap(({ mean, low, high, trials = [] }) => [...mean, ...low, ...high, ...(single ? trials.flat() : [])])));
  const [first, last] = [Math.min(...shown.map(({ steps }) => steps[0])), Math.max(...shown.map(({ steps }) => Math.max(steps.at(-1), steps[0] + 1)))];
  const x = (step) => LEFT + ((wide - LEFT - RIGHT) * (step - first)) / (last - first);
  const y = (value) => TOP + ((HIGH - TOP - BELOW) * (most - value)) / (most - least);
  const cursor = s("g", { hidden: true });
  const colour = ({ name }) => COLOURS[runs.findIndex((run) => run.name === name) % COLOURS.length];
  const about = shown.map(({ name, mean, steps }) => `${single ? "" : `${name} `}${figure(mean[0])} at step ${steps[0]}, ${figure(mean.at(-1))} at step ${steps.at(-1)}`).join("; ");
  const svg = s(
    "svg",
    { class: "chart", viewBox: `0 0 ${wide} ${HIGH}`, role: "img", "aria-label": `${title}: ${about}` },
    ticks(least, most, 5).map((value) => [s("line", { class: "grid", x1: LEFT, x2: wide - RIGHT, y1: y(value), y2: y(value) }), s("text", { x: LEFT - 8, y: y(value) + 4, "text-anchor": "end" }, short(value))]).flat(),
    ticks(first, last, 5).map((step) => s("text", { x: x(step), y: HIGH - 10, "text-anchor": "middle" }, short(step))),
    shown.flatMap((run) => drawRun(run, x, y, colour(run), single)),
    cursor,
  );
  svg.addEventListener("pointermove", (event) => {
    const at = ((event.clientX - svg.getBoundingClientRect().x) * wide) / svg.clientWidth;
    const right = at > wide / 2;
    const marks = shown.flatMap(({ name, steps, mean, low, high }, row) => {
      const place = steps.reduce((best, step, each) => (Math.abs(x(step) - at) < Math.abs(x(steps[best]) - at) ? each : best), 0);
      const words = `${single ? "" : `${name}, `}step ${figure(steps[place])}: ${figure(mean[place])}${Number.isFinite(low[place]) ? ` (${figure(low[place])} to ${figure(high[place])})` : ""}`;
      return [
        s("line", { class: "cursor", x1: x(steps[place]), x2: x(steps[place]), y1: TOP, y2: HIGH - BELOW }),
        Number.isFinite(mean[place]) ? s("circle", { class: "dot", cx: x(steps[place]), cy: y(mean[place]), r: 4 }) : "",
        s("text", { class: "name", x: at + (right ? -8 : 8), y: TOP + 12 + 16 * row, "text-anchor": right ? "end" : "start" }, words),
      ];
    });
    cursor.replaceChildren(...marks);
  });
  svg.addEventListener("pointerleave", () => cursor.replaceChildren());
  return svg;
}

/** The band, the trials and the mean of a run. */
function drawRun({ steps, mean, low, high, trials = [] }, x, y, colour, single) {
  const path = (values) => line(values.map((value, place) => [x(steps[place]), value === null ? NaN : y(value)]));
  const banded = steps.map((_, place) => place).filter((place) => Number.isFinite(low[place]) && Number.isFinite(high[place]));
  const band = [...banded.map((place) => [x(steps[place]), y(high[place])]), ...banded.reverse().map((place) => [x(steps[place]), y(low[place])])];
  const made = [
    band.length ? s("path", { class: "band", d: `${line(band)}Z` }) : null,
    ...(single ? trials.map((values) => s("path", { class: "trial", d: path(values) })) : []),
    s("path", { class: "mean", d: path(mean) }),
  ].filter(Boolean);
  for (const part of made) part.style[part.classList.contains("band") ? "fill" : "stroke"] = colour;
  return made;
}

/** The names of lines beside their colours. */
export function legend(names) {
  return h("p", { class: "row small" }, names.map((name, place) => {
    const sign = h("i", { class: "swatch" });
    sign.style.background = COLOURS[place % COLOURS.length];
    return h("span", null, sign, name);
  }));
}

/** Points with their intervals, one row each. */
export function intervals(name, rows) {
  const all = finite(rows.flatMap(({ value, low, high }) => [value, low, high]));
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const row = 34;
  const wide = narrow() ? 340 : 720;
  const names = narrow() ? 118 : 170;
  const letters = narrow() ? 16 : 24;
  const tall = rows.length * row + BELOW;
  const x = (value) => names + ((wide - names - 60) * (value - least)) / (most - least || 1);
  return s(
    "svg",
    { class: "chart", viewBox: `0 0 ${wide} ${tall}`, role: "img", "aria-label": `${name}: ${rows.map(({ name: player, value }) => `${player} ${figure(value)}`).join(", ")}` },
    ticks(least, most, narrow() ? 3 : 6).map((value) => [s("line", { class: "grid", x1: x(value), x2: x(value), y1: 4, y2: tall - BELOW }), s("text", { x: x(value), y: tall - 10, "text-anchor": "middle" }, short(value))]).flat(),
    rows.map(({ name: player, value, low, high }, place) => {
      const y = place * row + row / 2;
      const label = player.length > letters ? `…${player.slice(1 - letters)}` : player;
      return s(
        "g",
        null,
        s("title", null, `${player}: ${figure(value)} (${figure(low)} to ${figure(high)})`),
        s("text", { class: "name", x: names - 14, y: y + 4, "text-anchor": "end" }, label),
        s("line", { class: "span", x1: x(low), x2: x(high), y1: y, y2: y }),
        s("circle", { class: "dot", cx: x(value), cy: y, r: 5 }),
        s("text", { x: x(high) + 10, y: y + 4 }, figure(value)),
      );
    }),
  );
}
