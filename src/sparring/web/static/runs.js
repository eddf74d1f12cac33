// Training runs: the list, learning curves, and starting, stopping and resuming.
import { capital, choice, field, figure, fold, h, heading, optionFields, percent, picture, ruled, scroller } from "./dom.js";
import { begin } from "./begin.js";
import { curve, legend } from "./chart.js";
import { differing } from "./settings.js";
import { action, attempt, form, say } from "./say.js";
import { call, inside, listen, LOST } from "./server.js";

export const all = { show: showAll };
export const one = { show: showOne };

async function showAll() {
  const [runs, games] = await Promise.all([call("/api/runs"), call("/api/games")]);
  const learners = await learnersOf(games[0].name);
  return [
    heading("Runs", "Training runs. A stopped run can be resumed where it stopped."),
    learners.length ? h("div", { class: "sheet" }, fold("Start a run", { id: "start", open: !runs.length }, runForm(games, learners))) : "",
    runs.length ? h("ul", { class: "list" }, runs.map(item)) : h("p", { class: "empty" }, "No runs yet."),
  ];
}

const learnersOf = (game) => call(`/api/learners?game=${encodeURIComponent(game)}`);
const state = ({ running, finished }) => (running ? "running" : finished ? "finished" : "stopped");

function item(run) {
  return h("li", null, h("a", { class: "item", href: `#/runs/${inside(run.name)}` },
    h("span", { class: "grow" }, h("strong", null, run.name), h("span", { class: "quiet" }, ` · ${capital(ruled(run.game))}, ${run.learner}`)),
    h("span", { class: "quiet small figures" }, run.steps ? `${figure(run.step)} of ${figure(run.steps)}` : ""),
    h("span", { class: `badge ${run.running ? "good" : ""}` }, state(run))));
}

function runForm(games, learners) {
  let requests = 0;
  const loadLearners = async () => {
    const request = ++requests;
    const disable = (disabled) => [learner, place, send].forEach((part) => (part.disabled = disabled)); // input would be lost
    disable(true);
    try {
      const found = await learnersOf(game.value);
      if (request !== requests) return;
      learners = found;
      learner.replaceChildren(...learners.map(({ name: value }) => h("option", { value }, value)));
      choose(learners[0]);
    } finally {
      disable(request !== requests);
    }
  };
  const [gameLabel, game] = choice("Game", games.map(({ name }) => name), games[0].name, { onchange: () => attempt(loadLearners) });
  const [nameLabel, name] = field("Name", { required: true, placeholder: "first-run", pattern: "[A-Za-z0-9_\\-.]+" }, "letters, digits, -, _ and .");
  const [trialsLabel, trials] = field("Trials", { type: "number", min: 1, max: 1000, value: 2 }, "independent trials");
  const [seedLabel, seed] = field("Seed", { inputmode: "numeric", placeholder: "default" });
  const [learnerLabel, learner] = choice("Learner", learners.map((each) => each.name), learners[0].name, {
    onchange: () => choose(learners.find((each) => each.name === learner.value)),
  });
  const place = h("fieldset");
  let changed;
  const choose = ({ about, options }) => {
    const fields = optionFields(options);
    changed = fields.changed;
    const [first, rest] = [fields.labels.slice(0, 3), fields.labels.slice(3)].map((labels) => h("div", { class: "fields" }, labels));
    place.replaceChildren(h("div", { class: "page" }, about && h("p", { class: "quiet" }, about), first, rest.children.length ? fold("More options", null, rest) : ""));
  };
  choose(learners[0]);
  const start = async () => {
    const options = changed();
    if (seed.value.trim()) options.seed = seed.value.trim();
    const made = await call("/api/runs", { game: game.value, learner: learner.value, name: name.value.trim(), trials: Number(trials.value), options });
    location.hash = `#/runs/${inside(made.name)}`;
  };
  const [element, send] = form("Start", start, h("div", { class: "fields" }, gameLabel, learnerLabel, nameLabel, trialsLabel, seedLabel), place);
  return element;
}

async function showOne({ name, query, signal }) {
  const path = `/api/runs/${inside(name)}`;
  const beside = await Promise.all(query.getAll("with").map((other) => call(`/api/runs/${inside(other)}`)));
  const facts = h("dl", { class: "facts" });
  const bar = h("progress", { max: 1, "aria-label": "Progress" });
  const headline = h("p", { class: "quiet", "aria-live": "polite" });
  const charts = h("div", { class: "charts" });
  const badge = h("span", { class: "badge" });
  const toml = h("code");
  const pictures = h("section", { class: "page", "aria-label": "Networks" });
  const change = (verb) => async () => fill({ ...shown, ...(await call(`${path}/${verb}`, {})) });
  const [stop, resume] = [action("Stop", change("stop")), action("Resume", change("resume"), { class: "main" })];
  const links = h("span", { class: "row" });
  const comparison = h("section", { class: "sheet", "aria-label": "Comparison" });
  let shown = {};
  const seen = []; // when which step was reached
  let drawnPictures = "";
  const fill = (run) => {
    shown = run;
    badge.textContent = state(run);
    badge.classList.toggle("good", run.running);
    stop.hidden = !run.running;
    resume.hidden = run.running || run.finished;
    bar.value = run.steps ? run.step / run.steps : 0;
    headline.textContent = run.headline ? capital(run.headline) : "";
    toml.textContent = run.experiment ?? "";
    facts.replaceChildren(...factsOf(run, timeLeft(run, seen)).map(([term, value]) => h("div", null, h("dt", null, term), h("dd", null, value))));
    const compared = [run, ...beside];
    const drawn = Object.keys(run.curves ?? {});
    const lines = (title) => compared.filter(({ curves }) => curves?.[title]).map((each) => ({ name: each.name, ...each.curves[title] }));
    charts.replaceChildren(...drawn.map((title) => h("figure", { class: "sheet", "data-curve": title }, h("h3", null, curveName(title)), curve(curveName(title), lines(title)))));
    if (!drawn.length) charts.append(h("p", { class: "empty" }, run.running ? "The first measurement comes soon." : "No measurements yet."));
    comparison.replaceChildren(...(beside.length ? [legend(compared.map((each) => each.name)), results(compared), differing(compared)] : []));
    if (JSON.stringify(run.pictures) !== drawnPictures) {
      drawnPictures = JSON.stringify(run.pictures);
      pictures.replaceChildren(...(run.pictures ?? []).map(({ title, svg }) => h("div", { class: "sheet" }, fold(capital(title), null, scroller(title, "network", picture(svg))))));
    }
    const against = action("Play against it", () => begin({ game: run.game.split(":")[0], rules: run.game.split(/:(.*)/s)[1] ?? "", opponents: [run.champion] }), { class: "main" });
    links.replaceChildren(...(run.champion ? [against, h("a", { class: "button", href: `#/players?game=${encodeURIComponent(run.game.split(":")[0])}` }, "Ratings")] : []));
  };
  fill(await call(path));
  const others = (await call("/api/runs")).filter((each) => each.name !== name && each.game === shown.game).map((each) => each.name);
  comparison.hidden = !beside.length;
  listen(`/ws/runs/${inside(name)}`, signal, fill, (online) => online || say(LOST, 4));
  return [
    h("div", { class: "row spread" }, h("div", { class: "head" }, h("h1", null, name), h("div", { class: "row" }, badge)), h("div", { class: "row" }, stop, resume, links, compareField(name, others, beside.map((each) => each.name)))),
    h("section", { class: "sheet", "aria-label": "Progress" }, facts, bar, headline),
    comparison,
    h("section", { "aria-label": "Learning curves" }, charts),
    pictures,
    h("section", { class: "sheet" }, fold("Experiment file", null, h("pre", { tabindex: "0" }, toml))),
  ];
}

/** The time that a run still takes, from the steps that this page has seen. */
function timeLeft({ step, steps, running }, seen) {
  if (!running || !steps) return "–";
  if (seen.at(-1)?.step !== step) seen.push({ step, at: Date.now() });
  const [first, last] = [seen[0], seen.at(-1)];
  if (last.step === first.step) return "being measured";
  const seconds = ((steps - step) * (last.at - first.at)) / (last.step - first.step) / 1000;
  return seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
}

/** A select that adds a run of the same game to the page, or removes one. */
function compareField(name, others, chosen) {
  if (!others.length) return "";
  const names = [["", "Compare with…"], ...others.map((other) => [other, chosen.includes(other) ? `✓ ${other}` : other])];
  const choose = ({ target: { value } }) => {
    const next = chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value];
    if (value) location.hash = `#/runs/${inside(name)}${next.length ? "?" : ""}${next.map((other) => `with=${encodeURIComponent(other)}`).join("&")}`;
  };
  const [label, select] = choice("", names, "", { onchange: choose, "aria-label": "Compare with another run", "data-compare": true });
  select.style.width = "auto";
  return label;
}

/** `random.player.won` as the page says it. */
function curveName(title) {
  const [setting, side, measure] = title.split(".");
  const words = (text) => text.replaceAll("_", " ");
  if (!measure) return capital(words(title.replaceAll(".", ", ")));
  return capital(`${measure === "won" ? "games won" : words(measure)}${side === "opponent" ? " of the opponent" : ""} ${setting === "benchmark" ? "against the benchmark" : `(${words(setting)})`}`);
}

/** The last results of several runs. */
function results(runs) {
  const head = ["Run", "Learner", "Games won against the benchmark", "Score", "Step"].map((text, place) => h("th", { scope: "col", class: place > 1 ? "number" : "" }, text));
  const row = (run) => h("tr", null, h("th", { scope: "row" }, run.name), h("td", null, run.learner), [percent(latest(run, "won")), figure(latest(run, "score")), figure(run.step)].map((text) => h("td", { class: "number" }, text)));
  return scroller("Results", "grid-scroll", h("table", null, h("thead", null, h("tr", null, head)), h("tbody", null, runs.map(row))));
}

/** The last point of the curve against the benchmark: games won, and the score. */
function latest({ curves }, word) {
  const found = Object.entries(curves ?? {}).find(([name]) => name.endsWith(`.player.${word}`));
  return found?.[1].mean.at(-1) ?? null;
}

/** What is known of a run, the results first. */
const factsOf = (run, left) => [
  ["Games won against the benchmark", percent(latest(run, "won"))],
  ["Score", figure(latest(run, "score"))],
  ["Time left", left],
  ["Game", run.game],
  ["Learner", run.learner],
  ["Step", run.steps ? `${figure(run.step)} / ${figure(run.steps)}` : "–"],
  ["Games per second", run.games_per_second ? figure(Math.round(run.games_per_second)) : "–"],
  ["Champion", run.champion ?? "–"],
].filter(([, value]) => value !== "–");
