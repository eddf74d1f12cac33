// Training runs: what there is, how it learns, and starting, stopping and going on.
import { capital, choice, field, figure, fold, h, picture, ruled } from "./dom.js";
import { curve } from "./chart.js";
import { attempt, say } from "./say.js";
import { call, inside, listen } from "./server.js";

export const all = { show: showAll };
export const one = { show: showOne };

async function showAll() {
  const [runs, games] = await Promise.all([call("/api/runs"), call("/api/games")]);
  const learners = await learnersOf(games[0].name);
  return [
    h("div", { class: "head" }, h("h1", null, "Runs"), h("p", null, "Trainings, those that go on and those that are done. One that is stopped goes on where it was.")),
    h("div", { class: "sheet" }, fold("Start a run", { id: "start", open: !runs.length }, form(games, learners))),
    runs.length ? h("ul", { class: "list" }, runs.map(item)) : h("p", { class: "empty" }, "There is no run yet."),
  ];
}

const learnersOf = (game) => call(`/api/learners?game=${encodeURIComponent(game)}`);
const state = ({ running, finished }) => (running ? "learning" : finished ? "finished" : "stopped");

function item(run) {
  return h(
    "li",
    null,
    h(
      "a",
      { class: "item", href: `#/runs/${inside(run.name)}` },
      h("span", { class: "grow" }, h("strong", null, run.name), h("span", { class: "quiet" }, ` · ${capital(ruled(run.game))}, ${run.learner}`)),
      h("span", { class: "quiet small figures" }, run.steps ? `${figure(run.step)} of ${figure(run.steps)}` : ""),
      h("span", { class: `badge ${run.running ? "good" : ""}` }, state(run)),
    ),
  );
}

function form(games, learners) {
  let asked = 0;
  const askLearners = async () => {
    const mine = ++asked;
    const wait = (waits) => [learner, place, send].forEach((part) => (part.disabled = waits)); // what is typed meanwhile would be lost
    wait(true);
    try {
      const found = await learnersOf(game.value);
      if (mine !== asked) return;
      learners = found;
      learner.replaceChildren(...learners.map(({ name: value }) => h("option", { value }, value)));
      choose(learners[0]);
    } finally {
      wait(mine !== asked);
    }
  };
  const [gameLabel, game] = choice("Game", games.map(({ name }) => name), games[0].name, { onchange: () => attempt(askLearners) });
  const [nameLabel, name] = field("Name", { required: true, placeholder: "first-run", pattern: "[A-Za-z0-9_\\-.]+" }, "letters, digits, - and _");
  const [trialsLabel, trials] = field("Trials", { type: "number", min: 1, max: 1000, value: 2 }, "trainings that differ by chance alone");
  const [seedLabel, seed] = field("Seed", { inputmode: "numeric", placeholder: "usual" });
  const place = h("fieldset");
  let read = () => ({});
  const choose = (chosen) => {
    const made = chosen.options.map((option) => {
      const usual = Array.isArray(option.default) ? option.default.join(",") : String(option.default);
      const [label, input] = option.choices?.length
        ? choice(option.name, option.choices, usual, {}, option.help)
        : field(option.name, { value: usual }, option.help);
      return { name: option.name, usual, label, input };
    });
    read = () => Object.fromEntries(made.filter(({ input, usual }) => input.value.trim() !== usual).map(({ name: key, input }) => [key, input.value.trim()]));
    const [first, rest] = [made.slice(0, 3), made.slice(3)];
    place.replaceChildren(
      h("div", { class: "page" }, chosen.about && h("p", { class: "quiet" }, chosen.about), h("div", { class: "fields" }, first.map(({ label }) => label)), rest.length ? fold("More options", null, h("div", { class: "fields" }, rest.map(({ label }) => label))) : ""),
    );
  };
  const [learnerLabel, learner] = choice("Learner", learners.map((each) => each.name), learners[0].name, {
    onchange: () => choose(learners.find((each) => each.name === learner.value)),
  });
  choose(learners[0]);
  const send = h("button", { class: "main" }, "Start");
  const start = async () => {
    const options = read();
    if (seed.value.trim()) options.seed = seed.value.trim();
    const made = await call("/api/runs", { game: game.value, learner: learner.value, name: name.value.trim(), trials: Number(trials.value), options });
    location.hash = `#/runs/${inside(made.name)}`;
  };
  return h(
    "form",
    { class: "page", onsubmit: (event) => { event.preventDefault(); attempt(start, send); } },
    h("div", { class: "fields" }, gameLabel, learnerLabel, nameLabel, trialsLabel, seedLabel),
    place,
    h("div", { class: "row" }, send),
  );
}

async function showOne({ name, signal }) {
  const path = `/api/runs/${inside(name)}`;
  const facts = h("dl", { class: "facts" });
  const bar = h("progress", { max: 1, "aria-label": "How far it is" });
  const headline = h("p", { class: "quiet", "aria-live": "polite" });
  const charts = h("div", { class: "charts" });
  const badge = h("span", { class: "badge" });
  const toml = h("code");
  const pictures = h("section", { class: "page", "aria-label": "Networks" });
  const act = (verb) => attempt(async () => fill({ ...shown, ...(await call(`${path}/${verb}`, {})) }), verb === "stop" ? stop : resume);
  const stop = h("button", { type: "button", onclick: () => act("stop") }, "Stop");
  const resume = h("button", { type: "button", class: "main", onclick: () => act("resume") }, "Go on");
  const links = h("span", { class: "row" });
  let shown = {};
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
    const told = [
      ["Game", run.game],
      ["Learner", run.learner],
      ["Step", run.steps ? `${figure(run.step)} / ${figure(run.steps)}` : "–"],
      ["Games per second", run.games_per_second ? figure(Math.round(run.games_per_second)) : "–"],
      ["Champion so far", run.champion ?? "–"],
    ];
    facts.replaceChildren(...told.map(([term, value]) => h("div", null, h("dt", null, term), h("dd", null, value))));
    const drawn = Object.entries(run.curves ?? {});
    charts.replaceChildren(...drawn.map(([title, values]) => h("figure", { class: "sheet", "data-curve": title }, h("h3", null, capital(title.replaceAll("_", " "))), curve(title, values))));
    if (!drawn.length) charts.append(h("p", { class: "empty" }, "The first measurements come soon."));
    if (JSON.stringify(run.pictures) !== drawnPictures) {
      drawnPictures = JSON.stringify(run.pictures);
      pictures.replaceChildren(...(run.pictures ?? []).map(({ title, svg }) => h("div", { class: "sheet" }, fold(capital(title), null, h("div", { class: "network", tabindex: "0", role: "region", "aria-label": title }, picture(svg))))));
    }
    links.replaceChildren(...(run.champion ? [h("a", { class: "button", href: `#/players?game=${encodeURIComponent(run.game.split(":")[0])}` }, "Ratings")] : []));
  };
  fill(await call(path));
  listen(`/ws/runs/${inside(name)}`, signal, fill, (online) => online || say("The line to the server is lost; trying again…", 4));
  return [
    h("div", { class: "row spread" }, h("div", { class: "head" }, h("h1", null, name), h("div", { class: "row" }, badge)), h("div", { class: "row" }, stop, resume, links)),
    h("section", { class: "sheet", "aria-label": "Progress" }, facts, bar, headline),
    h("section", { "aria-label": "Learning curves" }, charts),
    pictures,
    h("section", { class: "sheet" }, fold("The experiment as a file", null, h("pre", { tabindex: "0" }, toml))),
  ];
}
