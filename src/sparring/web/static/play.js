// A table, for its players and watchers.
import { Board } from "./board.js";
import { capital, choice, figure, fold, h, roomy, ruled, pictureButtons, still, toggle } from "./dom.js";
import { begin, settings } from "./begin.js";
import { guideButton } from "./guide.js";
import { action, attempt, say } from "./say.js";
import { possibleMoves } from "./sequences.js";
import { call, listen, LOST } from "./server.js";
import { scorecard } from "./scorecard.js";
import { sound } from "./sound.js";
import { explanation, lossBars, signed } from "./thinking.js";

const PACE = 350; // milliseconds between moves
const FREE = "a free seat";
const PACES = [["0", "paused"], ["1", "slow"], ["2", "normal"], ["5", "fast"], ["20", "very fast"]]; // moves per second
const PATIENCE = 1500; // milliseconds until a response is shown that the socket did not send

export async function show({ name, signal }) {
  const [first, players] = await Promise.all([call(`/api/tables/${name}`), call("/api/games")]);
  const family = first.game.split(":")[0];
  const session = new Session(name, players.find((game) => game.name === family), signal);
  session.show(first);
  listen(`/ws/tables/${name}`, signal, (table) => session.hear(table), (online) => session.line(online));
  document.addEventListener("keydown", (event) => event.key === "Escape" && session.board.takeBack(), { signal });
  return session.content();
}

class Session {
  constructor(id, game, signal) {
    Object.assign(this, { id, game, signal, waiting: [], own: [], online: true, pausing: null });
    this.seen = Number(sessionStorage.getItem(`seen ${id}`) ?? 0); // moves made when the last round that was looked at ended
    this.board = new Board((moves) => this.play(moves), () => this.showTouched(), game.partial ? (touched) => this.sketch(touched) : null);
    this.title = h("h1", { class: "unseen" });
    this.felt = h("div", { class: "felt" });
    this.status = h("strong", { "aria-live": "polite" });
    this.names = h("span", { class: "quiet small" });
    this.coach = h("p", { class: "coach", "aria-live": "polite" });
    this.advised = h("p", { class: "coach", "aria-live": "polite" }); // takes the coach's place
    this.turn = h("div", { class: "turn" }, this.status, this.coach, this.advised, this.names);
    this.card = h("div");
    this.cards = fold("Scorecard", null, this.card);
    this.confirming = toggle("Confirm each play", "confirm");
    this.touching = h("p", { class: "quiet small", "aria-live": "polite" });
    this.only = h("div", { class: "hands" });
    this.result = h("div");
    this.log = h("ol", { class: "log" });
    this.logged = h("div", { class: "logged", role: "log", "aria-live": "polite", "aria-label": "Moves so far", tabindex: "0" }, this.log);
    this.moves = h("div", { class: "moves" });
    this.list = fold("Legal moves", null, this.moves);
    this.undo = h("button", { type: "button", onclick: () => this.takeBack() }, "Undo");
    this.leaving = action("Leave", () => this.leave());
    this.resigning = action("Resign", () => this.resign());
    this.seating = h("div", { class: "row" });
    this.note = h("p", { class: "note", "aria-live": "polite" });
    this.pace = this.paces();
    this.asking = action("Hint", () => this.advise(), { "data-hint": true });
    this.hint = this.hints();
    this.why = this.whys();
  }

  content() {
    this.felt.append(this.turn, this.note, this.result, this.board.element, this.touching, this.only, this.board.buttons);
    const pictures = pictureButtons(() => drawn(this.pausing ?? this.table), () => `${this.game.name}-${this.table.number}`);
    const tools = h("div", { class: "row tools" }, this.asking, this.undo, this.resigning, this.leaving, guideButton(this.game, () => drawn(this.table)), ...pictures);
    const toggles = h("div", { class: "row tools" }, this.game.partial ? this.confirming : "", toggle("Sound", "sound", "no", () => sound("turn")));
    const side = h("aside", { class: "sheet", "aria-label": "The game" }, this.seating, tools, h("h2", null, "Moves"), this.logged, toggles, this.pace, this.hint, this.cards, this.list);
    return [this.title, h("div", { class: "table" }, this.felt, side), this.why];
  }

  /** Queue a table from the socket, so that every move is shown for a while. */
  hear(table) {
    if (same(table, this.waiting.at(-1) ?? this.table)) return;
    this.waiting.push(table);
    if (!this.timer) this.next();
  }

  next() {
    const table = this.pausing ? null : this.waiting.shift();
    if (!table) {
      this.timer = 0;
      return;
    }
    const follow = table.number > this.table.number && table.turn !== table.seat;
    this.show(table);
    if (this.signal.aborted) return;
    if (still() || (!follow && !this.waiting.length)) {
      this.timer = 0;
      if (this.waiting.length) this.next();
    } else {
      this.timer = setTimeout(() => this.next(), PACE);
    }
  }

  line(online) {
    if (this.online && !online) say(LOST, 4);
    if (!this.online && online) attempt(async () => this.hear(await call(`/api/tables/${this.id}`)));
    this.online = online;
  }

  show(table) {
    const before = this.table;
    this.table = table;
    this.pausing = table.round_end?.number > this.seen ? table.round_end : null;
    const mine = this.mine();
    if (table.number !== before?.number) this.forget();
    if (before && table.number > before.number) sound(table.over || this.pausing ? "end" : mine ? "turn" : "move");
    this.board.show(drawn(this.pausing ?? table), table.text, mine ? table.legal : [], table.together);
    this.title.textContent = `${capital(ruled(table.game))}: ${table.names.join(", ")}`;
    this.names.textContent = `${table.names.join(" · ")}${this.level()}`;
    this.turn.classList.toggle("yours", mine);
    Object.assign(this.felt.dataset, { number: table.number, state: table.over ? "over" : this.pausing ? "paused" : mine ? "yours" : "waiting" });
    this.status.textContent = this.standing();
    this.coach.textContent = mine ? table.expected : "";
    this.coach.hidden = !mine;
    this.card.replaceChildren(scorecard(table));
    this.cards.hidden = !table.scorecard.length;
    this.write();
    this.fillMoves();
    this.undo.hidden = table.seat === null || table.over;
    this.undo.disabled = !table.taking_back;
    const [alone, playing] = [table.people.length === 1, table.seat !== null && !table.over];
    this.leaving.hidden = alone || !playing;
    this.resigning.hidden = !alone || !playing;
    this.asking.hidden = this.hint.hidden = table.seat === null || table.over;
    this.asking.disabled = !mine;
    this.list.hidden = !mine;
    this.why.hidden = table.seat === null || table.over;
    this.note.textContent = table.note ? capital(table.note) : "";
    this.note.hidden = !table.note;
    this.fillSeating();
    this.fillResult();
    this.paced.value = String(table.pace);
    this.pace.hidden = table.kind !== "watch" || table.over;
  }

  /** The level of the opponents in brackets, if they are alike and have one. */
  level() {
    const others = this.table.names.filter((_, seat) => seat !== this.table.seat).map((name) => name.replace(/ #\d+$/, ""));
    const found = this.game.levels.find(({ player }) => others.every((name) => player === name || player.startsWith(`${name}@`)));
    return found && found.name.toLowerCase() !== others[0] ? ` (${found.name})` : "";
  }

  mine() {
    return !this.pausing && !this.table.over && this.table.seat !== null && this.table.turn === this.table.seat && this.table.legal.length > 0;
  }

  standing() {
    const { over, turn, names } = this.table;
    if (over) return "Game over";
    if (this.pausing) return "The round is over";
    if (turn < 0) return "Please wait…";
    return this.mine() ? "Your turn" : `${capital(names[turn] ?? "someone")} to move…`;
  }

  /** Show the parts clicked so far and the number of moves left. */
  showTouched() {
    const { touched, legal, pending } = this.board;
    if (pending !== null && this.advice) this.compare(pending, "This play is");
    const left = possibleMoves(legal, touched).length;
    this.touching.textContent = touched.length && pending === null
      ? `${touched.map((part) => this.board.named(part)).join(" → ")} → … (${left} ${left === 1 ? "move" : "moves"})`
      : "";
    this.touching.hidden = !this.touching.textContent;
  }

  /** The picture of an incomplete move. */
  async sketch(touched) {
    const query = touched.map((part) => `touched=${encodeURIComponent(part)}`).join("&");
    return (await attempt(() => call(`/api/tables/${this.id}/partial?${query}&number=${this.table.number}`)))?.svg;
  }

  write() {
    const { said } = this.table;
    const lines = said.map((text) => h("li", { class: /^You /.test(text) ? "own" : "" }, text));
    this.log.replaceChildren(...(lines.length ? lines : [h("li", { class: "old" }, "No moves yet.")]));
    this.logged.scrollTop = this.logged.scrollHeight;
  }

  fillMoves() {
    const mine = this.mine();
    const { legal } = this.table;
    const byHand = legal.every(({ touches }) => touches.length);
    const shown = mine && legal.length === 1 && this.board.buttons.querySelector("button"); // the move has a button of its own
    const button = ({ move, words }, look) => h("button", { type: "button", class: look, "data-move": move, onclick: () => this.play([move]) }, capital(words));
    this.moves.replaceChildren(...(mine ? legal.map((each) => button(each)) : []));
    if (mine && !byHand) this.list.open = true;
    this.only.replaceChildren(...(mine && legal.length === 1 && !shown ? [button({ ...legal[0], words: `Only move: ${legal[0].words}` }, "main")] : []));
  }

  fillSeating() {
    const { seat, people, over, link, names } = this.table;
    const open = people.length > 1 && !over;
    const free = names.includes(FREE);
    const address = new URL(link ?? `/#/play/${this.id}`, location.href).href;
    const copy = action("Copy link", () => share(address));
    const sit = action("Take a seat", () => this.join(), { class: "main" });
    this.seating.replaceChildren(...(open ? [seat === null && free ? sit : null, copy].filter(Boolean) : []));
    if (seat === null && !over) this.seating.append(h("span", { class: "quiet small" }, "You are watching."));
    this.seating.hidden = !this.seating.children.length;
  }

  fillResult() {
    const { over, result, seat } = this.table;
    this.result.replaceChildren();
    if (this.pausing) {
      this.result.append(this.interval());
      if (this.board.had() !== null) this.result.querySelector("[data-next]").focus({ preventScroll: true });
    }
    if (!over) return;
    const buttons = seat === null ? [] : [action("New game", () => this.newGame(), { class: "main" }), action("Same deal, seats swapped", () => this.swapSeats())];
    const replay = h("a", { class: "button", href: `#/replay/tables/${this.id}.json?game=0&move=0` }, "Replay and analyse");
    this.result.append(h("section", { class: "result", "aria-label": "Result" }, h("h2", null, capital(result ?? "Game over")), scorecard(this.table), h("div", { class: "row" }, buttons, replay)));
  }

  /** What a round has brought, until the person goes on. */
  interval() {
    const [round] = this.table.scorecard.at(-2) ?? ["The round"];
    const go = h("button", { type: "button", class: "main", "data-next": true, onclick: () => this.goOn() }, `Next ${round.replace(/ \d+$/, "")}`);
    return h("section", { class: "result", "aria-label": "End of the round" }, h("h2", null, `End of ${round}`), scorecard(this.table), h("div", { class: "row" }, go));
  }

  goOn() {
    this.seen = this.pausing.number;
    sessionStorage.setItem(`seen ${this.id}`, this.seen);
    this.show(this.table);
    if (!this.timer) this.next();
  }

  /** Make a move, or several that were chosen together. */
  async play(moves) {
    if (!this.mine()) return;
    const { number } = this.table;
    this.judged = false; // what was said of the last move stays until this one
    if (this.advice && moves.length === 1) this.compare(moves[0], "Your move was");
    this.own.push(number);
    this.felt.dataset.state = "waiting";
    this.board.rest();
    this.only.replaceChildren();
    try {
      this.settle(await call(`/api/tables/${this.id}/move`, { moves, number }));
    } catch (error) {
      say(error.message);
      await attempt(async () => this.show(await call(`/api/tables/${this.id}`)));
    }
  }

  /** The socket sends what follows move by move; the response is shown only if it does not. */
  settle(after) {
    if (!this.online) this.hear(after);
    else setTimeout(() => !this.signal.aborted && this.table.number < after.number && !this.waiting.length && this.hear(after), PATIENCE);
  }

  async takeBack() {
    if (this.board.touched.length) this.board.stepBack();
    else
      await attempt(async () => {
        this.waiting = [];
        this.show(await call(`/api/tables/${this.id}/undo`, {}));
      }, this.undo);
  }

  async join() {
    await call(`/api/tables/${this.id}/join`, {});
    this.show(await call(`/api/tables/${this.id}`));
  }

  async leave() {
    if (!confirm("Leave this game? It will not be recorded.")) return;
    await call(`/api/tables/${this.id}/leave`, {});
    location.hash = "#/";
  }

  async resign() {
    if (!confirm("Resign this game? It counts as lost.")) return;
    this.waiting = [];
    this.show(await call(`/api/tables/${this.id}/resign`, {}));
  }

  async swapSeats() {
    const { id } = await call(`/api/tables/${this.id}/again`, { exchange: true });
    location.hash = `#/play/${id}`;
  }

  /** A new deal with the same rules and opponents; with default opponents if this browser did not create the table. */
  async newGame() {
    const [game, rules = ""] = this.table.game.split(/:(.*)/s);
    await begin({ game, rules, seat: this.table.seat, ...settings(this.id), seed: null });
  }

  /** The speed of a game between players. */
  paces() {
    const [label, select] = choice("Pace", PACES, "2", {
      onchange: (event) => attempt(() => call(`/api/tables/${this.id}/pace`, { pace: Number(event.target.value) })),
    });
    this.paced = select;
    return label;
  }

  hints() {
    const [label, select] = choice("Adviser", this.game.players.map(({ name }) => name), this.game.adviser);
    this.adviser = select;
    this.explained = h("div", { "aria-live": "polite" });
    this.forget = () => {
      this.advice = null;
      this.explained.replaceChildren();
      if (!this.judged) this.advised.textContent = "";
    };
    this.compareAll = () => this.explained.replaceChildren(lossBars(this.advice, (move) => this.play([move])));
    const explain = async () => {
      if (!this.advice) await this.advise();
      this.compareAll();
    };
    return fold("Explain", { "data-explain": true }, label, h("div", { class: "row" }, action("Compare all moves", explain)), this.explained);
  }

  /** Mark the best move on the board, and say how good it is. */
  async advise() {
    this.advice = await call(`/api/tables/${this.id}/hint?player=${encodeURIComponent(this.adviser.value)}`);
    const { best, candidates, value, unit, player, pending } = this.advice;
    const { number } = this.table;
    const { touches } = this.table.legal.find(({ move }) => move === best);
    this.board.hint(touches[0] ?? []);
    const words = candidates.find(({ move }) => move === best)?.words ?? "";
    const worth = value === null ? "" : ` (${signed(value)} ${unit} expected from here)`;
    const next = candidates.find(({ loss }) => loss > 0);
    const gap = next && unit ? ` The next best loses ${figure(next.loss)}.` : "";
    const verb = /^[a-z]+( |$)/.test(words) ? "" : "play "; // a play in notation has none
    this.advised.textContent = `${capital(player)} would ${verb}${words}${worth}.${gap}`;
    if (pending) this.learnMore(number);
  }

  /** Ask again as soon as the server may have found out what the adviser's values mean in points. */
  learnMore(number) {
    setTimeout(() => attempt(async () => {
      if (this.signal.aborted || this.table.number !== number || !this.advice?.pending) return;
      await this.advise();
      if (this.explained.children.length) this.compareAll();
    }), PATIENCE);
  }

  /** How much worse a person's move is than the hint. */
  compare(move, words) {
    const { candidates, unit } = this.advice;
    const loss = candidates.find((each) => each.move === move)?.loss;
    if (loss === null || loss === undefined) return;
    this.advised.textContent = loss ? `${words} ${figure(loss)} ${unit || "of its values"} worse than the hint.` : `${words} the best that the adviser sees.`;
    this.judged = true;
  }

  whys() {
    const [label, select] = choice("Player", this.game.players.map(({ name }) => name), this.game.adviser);
    const place = h("div");
    const ask = async () => {
      const number = this.mine() ? this.table.number : (this.own.at(-1) ?? 0);
      const about = `/api/tables/${this.id}/thinking?player=${encodeURIComponent(select.value)}&number=${number}`;
      place.replaceChildren(explanation(await call(about)));
    };
    return h("section", { class: "sheet" }, fold("Why? What a player sees in your position", null, h("div", { class: "row" }, label, action("Show", ask)), place));
  }
}

const drawn = ({ svg, wide }) => (roomy() ? wide : svg);
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** Copy a link to the clipboard, or show it if that is not allowed. */
export async function share(address) {
  try {
    await navigator.clipboard.writeText(address);
    say("Link copied.", 3);
  } catch {
    say(address, 30);
  }
}
