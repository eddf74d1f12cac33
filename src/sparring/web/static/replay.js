// A finished game: stepped through, searched for mistakes, and explained.
import { analysis, playAgain, totals } from "./analysis.js";
import { capital, choice, h, heading, picture, roomy, ruled, pictureButtons, s, still } from "./dom.js";
import { share } from "./play.js";
import { action, attempt } from "./say.js";
import { call, inside } from "./server.js";
import { explanation } from "./thinking.js";
import { lying, travel } from "./travel.js";

const SIGNS = {
  first: "M6 5v14M19 5 9 12l10 7Z",
  back: "M16 5 7 12l9 7Z",
  play: "M8 5l11 7-11 7Z",
  pause: "M8 5v14M16 5v14",
  on: "M8 5l9 7-9 7Z",
  last: "M18 5v14M5 5l10 7-10 7Z",
};
const PACE = 700; // milliseconds between moves
const MOST_TOGETHER = 50; // games of a file that are analysed at once

const sign = (name) => s("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d: SIGNS[name] }));

export async function show({ name, query, signal }) {
  const number = Number(query.get("game") ?? 0);
  const path = `/api/logs/${inside(name)}`;
  const [log, games, logs] = await Promise.all([call(`${path}?game=${number}&wide=${roomy() ? 1 : 0}`), call("/api/games"), call("/api/logs")]);
  const family = log.game.split(":")[0];
  const game = games.find((each) => each.name === family);
  const listed = logs.find((each) => each.name === name);
  const file = name.startsWith("tables/") ? "" : (listed?.file ?? (listed?.imported ? "" : name));
  const players = (game?.players ?? []).map((player) => player.name);
  const replay = new Replay({ name, number, path, log, players, evaluator: game?.default_opponent ?? "", levels: game?.analyst?.levels ?? [], count: log.games, file });
  document.addEventListener("keydown", (event) => replay.key(event), { signal });
  signal.addEventListener("abort", () => replay.pause());
  const content = replay.content();
  replay.go(Number(query.get("move") ?? 0));
  if (query.has("analyse") && log.judged) attempt(() => replay.judge());
  return content;
}

class Replay {
  constructor(parts) {
    Object.assign(this, parts);
    const frames = this.log.frames;
    Object.assign(this, { frames, last: frames.length - 1, at: 0, timer: 0 });
    this.board = h("div", { class: "board" });
    this.said = h("strong", { "aria-live": "polite" });
    this.place = h("span", { class: "quiet small figures" });
    this.slider = h("input", { type: "range", min: 0, max: this.last, value: 0, "aria-label": "Move", oninput: () => this.go(Number(this.slider.value)) });
    this.run = h("button", { type: "button", "aria-label": "Play", onclick: () => (this.timer ? this.pause() : this.start()) }, sign("play"));
    this.steps = h("ol", { class: "steps", "aria-label": "Moves" }, this.frames.map((frame, step) => this.step(frame, step)));
    this.looking = this.look();
  }

  step(frame, step) {
    return h("li", null, h("button", { type: "button", onclick: () => this.go(step) }, h("span", { class: "figures" }, step), frame.said || (step ? "…" : "Start")));
  }

  content() {
    const button = (label, drawn, to) => h("button", { type: "button", "aria-label": label, onclick: () => this.go(to()) }, sign(drawn));
    const stepper = h(
      "div",
      { class: "stepper" },
      h("div", { class: "row" }, button("First move", "first", () => 0), button("Back", "back", () => this.at - 1), this.run, button("Forward", "on", () => this.at + 1), button("Last move", "last", () => this.last)),
      this.slider,
      this.place,
    );
    const facts = [capital(ruled(this.log.game)), this.file, this.log.result && capital(this.log.result)].filter(Boolean).join(" · ");
    return [
      h(
        "div",
        { class: "table replayed" },
        h("div", { class: "felt" }, h("div", { class: "turn" }, this.said), this.board, stepper),
        h("aside", { class: "sheet" }, heading(capital(this.log.names.join(" · ")), facts), h("h2", null, "Moves"), this.steps, this.choices()),
      ),
      this.log.judged ? this.judged() : "",
      this.log.moves === null ? "" : this.looking, // without the deal nobody knows what was seen
    ];
  }

  choices() {
    const row = h("div", { class: "row" });
    if (this.count > 1) {
      const step = (label, words, number) => h("button", { type: "button", disabled: number < 0 || number >= this.count, onclick: () => (location.href = this.link(number, 0)), "aria-label": label }, words);
      row.append(step("Previous game", "←", this.number - 1), h("span", { class: "figures" }, `Game ${this.number + 1} of ${this.count}`), step("Next game", "→", this.number + 1));
    }
    row.append(action("Copy link to this move", () => share(this.link())));
    row.append(...pictureButtons(() => this.frames[this.at].svg, () => `${this.log.game.split(":")[0]}-${this.at}`));
    return row;
  }

  link(number = this.number, move = this.at) {
    return `${location.origin}/#/replay/${inside(this.name)}?game=${number}&move=${move}`;
  }

  go(step) {
    const [was, before] = [this.at, lying(this.board)];
    this.at = Math.min(Math.max(step, 0), this.last);
    const { svg, text, said } = this.frames[this.at];
    this.board.replaceChildren(svg ? picture(svg) : h("pre", null, text ?? ""));
    for (const part of this.board.querySelectorAll("[data-part]")) part.setAttribute("role", "img"); // nothing here can be clicked
    if (this.at === was + 1) travel(before, this.board);
    this.said.textContent = capital(said || (this.at ? "…" : "Start"));
    this.place.textContent = `${this.at} / ${this.last}`;
    this.slider.value = this.at;
    this.slider.setAttribute("aria-valuetext", `move ${this.at} of ${this.last}`);
    for (const button of this.steps.querySelectorAll("[aria-current]")) button.removeAttribute("aria-current");
    const current = this.steps.children[this.at].firstChild;
    current.setAttribute("aria-current", "step");
    this.steps.scrollTop = current.offsetTop - this.steps.offsetTop - this.steps.clientHeight / 2;
    history.replaceState(null, "", this.link());
    if (this.looking?.open) this.think();
  }

  start() {
    if (this.at === this.last) this.go(0);
    this.label("pause");
    this.timer = setInterval(() => (this.at < this.last ? this.go(this.at + 1) : this.pause()), still() ? 2 * PACE : PACE);
  }

  pause() {
    clearInterval(this.timer);
    this.timer = 0;
    this.label("play");
  }

  label(name) {
    this.run.replaceChildren(sign(name));
    this.run.setAttribute("aria-label", capital(name));
  }

  key(event) {
    if (event.target.closest("input, select, textarea, [tabindex='0']") || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.last }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    this.go(step);
  }

  /** The analysis, when it is asked for. */
  judged() {
    const [label, select] = choice("Judge", [["", "the game's own"], ...this.players.map((name) => [name, name])], "");
    const [depth, level] = choice("Plies", this.levels, this.levels[0]);
    const place = h("div", { "aria-live": "polite" });
    const asked = (number) => call(`${this.path}/analysis?game=${number}&judge=${encodeURIComponent(select.value)}&level=${level.value}`);
    const shown = async (text, work) => {
      place.replaceChildren(h("p", { class: "quiet" }, text));
      try {
        place.replaceChildren(...(await work()));
      } catch (error) {
        place.replaceChildren();
        throw error;
      }
    };
    this.judge = () => shown("Every decision is being judged…", async () => [analysis(await asked(this.number), this.log.names, (decision) => this.sentence(decision), (move) => this.lookAt(move), (move) => playAgain(this.path, this.number, move))]);
    const all = () => shown(`Game 1 of ${this.count} is being judged…`, async () => {
      const found = [];
      while (found.length < this.count && place.isConnected) {
        place.replaceChildren(h("p", { class: "quiet" }, `Game ${found.length + 1} of ${this.count} is being judged…`));
        found.push(await asked(found.length));
      }
      return [totals(found, (number) => this.link(number, 0))];
    });
    const buttons = [action("Analyse", () => this.judge(), { class: "main", "data-analyse": true }), this.count > 1 && this.count <= MOST_TOGETHER ? action(`Analyse all ${this.count} games`, all, { "data-analyse-all": true }) : ""];
    return h("section", { class: "sheet", "aria-label": "Analysis" }, h("h2", null, "Analysis"), h("div", { class: "row" }, label, this.levels.length ? depth : "", buttons), place);
  }

  /** Show a move to somebody who reads the analysis below. */
  lookAt(move) {
    this.go(move);
    this.board.parentElement.scrollIntoView({ block: "start", behavior: still() ? "auto" : "smooth" });
  }

  /** A decision in a sentence: the one that the replay says of a move, or its words. */
  sentence({ move, seat, made, kind }) {
    const said = ["move", "play"].includes(kind) && this.frames[move + 1]?.said.split(";")[0];
    return said || `${capital(this.log.names[seat])}: ${made}`;
  }

  look() {
    const [label, select] = choice("Player", [["", "who moved"], ...this.players.map((name) => [name, name])], "", { onchange: () => this.think() });
    this.viewer = select;
    this.details = h("div", { "aria-live": "polite" });
    return h("details", { class: "fold sheet", ontoggle: () => this.looking.open && this.think() }, h("summary", null, "Why? What the player saw"), label, this.details);
  }

  /** The player to explain: the chosen one, or who moved, unless that is a person. */
  explained(number) {
    if (this.viewer.value) return this.viewer.value;
    const mover = (this.log.names[this.frames[number].turn] ?? "").replace(/ #\d+$/, "").replace(/\+(search|flat|ismcts)$/, "");
    return /^(you|person)/.test(mover) ? this.evaluator : mover;
  }

  /** Explain the position before the last move; at the start, before the first. */
  async think() {
    const number = Math.max(0, this.at - 1);
    const wanted = (this.wanted = `${this.path}/thinking?game=${this.number}&number=${number}&player=${encodeURIComponent(this.explained(number))}`);
    await attempt(async () => {
      const found = await call(wanted);
      if (wanted === this.wanted) this.details.replaceChildren(explanation(found));
    });
  }
}
