// A table at which someone sits, or that someone watches.
import { Board } from "./board.js";
import { capital, choice, fold, h, ruled, still } from "./dom.js";
import { begin, settings } from "./begin.js";
import { attempt, say } from "./say.js";
import { call, listen } from "./server.js";
import { bars, thought } from "./thinking.js";
import { open } from "./ways.js";

const PACE = 350; // milliseconds from move to move
const FREE = "a free seat";
const PACES = [["0", "paused"], ["1", "slow"], ["2", "usual"], ["5", "quick"], ["20", "very quick"]]; // moves a second
const PATIENCE = 1500; // until an answer is shown that the socket did not bring

export async function show({ name, signal }) {
  const [first, players] = await Promise.all([call(`/api/tables/${name}`), call("/api/games")]);
  const family = first.game.split(":")[0];
  const sitting = new Sitting(name, players.find((game) => game.name === family), signal);
  sitting.show(first);
  listen(`/ws/tables/${name}`, signal, (table) => sitting.hear(table), (online) => sitting.line(online));
  document.addEventListener("keydown", (event) => event.key === "Escape" && sitting.board.takeBack(), { signal });
  return sitting.content();
}

class Sitting {
  constructor(id, game, signal) {
    this.id = id;
    this.game = game;
    this.signal = signal;
    this.waiting = [];
    this.history = [];
    this.own = [];
    this.online = true;
    this.board = new Board((move) => this.play(move), () => this.tell(), game.partial ? (touched) => this.sketch(touched) : null);
    this.title = h("h1", { class: "unseen" });
    this.felt = h("div", { class: "felt" });
    this.turn = h("div", { class: "turn" });
    this.status = h("strong", { "aria-live": "polite" });
    this.names = h("span", { class: "quiet small" });
    this.turn.append(this.status, this.names);
    this.touching = h("p", { class: "quiet small", "aria-live": "polite" });
    this.only = h("div", { class: "hands" });
    this.result = h("div");
    this.log = h("ol", { class: "log", role: "log", "aria-live": "polite", "aria-label": "What was said", tabindex: "0" });
    this.moves = h("div", { class: "moves" });
    this.list = fold("All moves", null, this.moves);
    this.undo = h("button", { type: "button", onclick: () => this.takeBack() }, "Take back");
    this.seating = h("div", { class: "row" });
    this.note = h("p", { class: "note", "aria-live": "polite" });
    this.pace = this.paces();
    this.hint = this.hints();
    this.why = this.whys();
  }

  content() {
    this.felt.append(this.turn, this.note, this.result, this.board.element, this.touching, this.only, this.board.buttons);
    const side = h("aside", { class: "sheet", "aria-label": "The game" }, this.seating, h("h2", null, "At the table"), this.log, h("div", { class: "row" }, this.undo), this.pace, this.hint, this.list);
    return [
      this.title,
      h("div", { class: "table" }, this.felt, side),
      this.why,
    ];
  }

  /** A table from the socket: shown after those before it, so that every move can be followed. */
  hear(table) {
    if (same(table, this.waiting.at(-1) ?? this.table)) return;
    this.waiting.push(table);
    if (!this.timer) this.next();
  }

  next() {
    const table = this.waiting.shift();
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
    if (this.online && !online) say("The line to the server is lost; trying again…", 4);
    if (!this.online && online) attempt(async () => this.hear(await call(`/api/tables/${this.id}`)));
    this.online = online;
  }

  show(table) {
    const before = this.table;
    this.table = table;
    const mine = this.mine();
    if (table.number !== before?.number) this.forget();
    if (before && table.number < before.number) this.history = this.history.filter(({ number }) => number < table.number);
    this.board.show(table.svg, table.text, mine ? table.legal : []);
    this.title.textContent = `${capital(ruled(table.game))}: ${table.names.join(", ")}`;
    this.names.textContent = table.names.join(" · ");
    this.turn.classList.toggle("yours", mine);
    Object.assign(this.felt.dataset, { number: table.number, state: table.over ? "over" : mine ? "yours" : "waiting" });
    this.status.textContent = this.standing();
    this.write();
    this.fillMoves();
    this.undo.hidden = !table.taking_back || table.seat === null || table.over;
    this.undo.disabled = !table.number;
    this.hint.hidden = table.seat === null || table.over;
    this.list.hidden = !mine;
    this.why.hidden = table.seat === null || table.over;
    this.note.textContent = table.note ? capital(table.note) : "";
    this.note.hidden = !table.note;
    this.fillSeating();
    this.fillResult();
    this.paced.value = String(table.pace);
    this.pace.hidden = table.kind !== "watch" || table.over;
  }

  mine() {
    return !this.table.over && this.table.seat !== null && this.table.turn === this.table.seat && this.table.legal.length > 0;
  }

  standing() {
    const { over, turn, names } = this.table;
    if (over) return "The game is over";
    if (turn < 0) return "One moment…";
    return this.mine() ? "Your turn" : `${capital(names[turn] ?? "someone")} is to move…`;
  }

  /** What has been touched, and how many moves that leaves. */
  tell() {
    const { touched, legal } = this.board;
    const left = open(legal, touched).length;
    this.touching.textContent = touched.length
      ? `${touched.map((part) => this.board.named(part)).join(" → ")} → … (${left} ${left === 1 ? "move" : "moves"})`
      : "";
    this.touching.hidden = !touched.length;
  }

  /** The table when these parts have been touched. */
  async sketch(touched) {
    const asked = touched.map((part) => `touched=${encodeURIComponent(part)}`).join("&");
    return (await attempt(() => call(`/api/tables/${this.id}/partial?${asked}&number=${this.table.number}`)))?.svg;
  }

  write() {
    const said = this.table.said;
    const line = (text, look) => h("li", { class: look }, text);
    this.log.replaceChildren(
      ...this.history.map(({ text, own }) => line(text, own ? "own" : "old")),
      ...said.map((text) => line(text, "")),
    );
    if (!this.log.children.length) this.log.append(line("Nothing has been said yet.", "old"));
    this.log.scrollTop = this.log.scrollHeight;
  }

  fillMoves() {
    const mine = this.mine();
    const { legal } = this.table;
    const byHand = legal.every(({ touches }) => touches.length);
    const button = ({ move, words }, look) => h("button", { type: "button", class: look, "data-move": move, onclick: () => this.play(move) }, words);
    this.moves.replaceChildren(...(mine ? legal.map((each) => button(each)) : []));
    if (mine && !byHand) this.list.open = true;
    this.only.replaceChildren(...(mine && legal.length === 1 ? [button({ ...legal[0], words: `Only move: ${legal[0].words}` }, "main")] : []));
  }

  fillSeating() {
    const { seat, people, over, link, names } = this.table;
    const open = people.length > 1 && !over;
    const free = names.includes(FREE);
    const address = new URL(link ?? `/#/play/${this.id}`, location.href).href;
    const copy = h("button", { type: "button", onclick: () => share(address) }, "Copy the link");
    const sit = h("button", { type: "button", class: "main", onclick: (event) => attempt(() => this.join(), event.currentTarget) }, "Sit down");
    this.seating.replaceChildren(...(open ? [seat === null && free ? sit : null, copy].filter(Boolean) : []));
    if (seat === null && !over) this.seating.append(h("span", { class: "quiet small" }, "You are watching."));
    this.seating.hidden = !this.seating.children.length;
  }

  fillResult() {
    const { over, result, seat } = this.table;
    this.result.replaceChildren();
    if (!over) return;
    const sat = seat !== null;
    const again = (exchange, words, look) =>
      h("button", { type: "button", class: look, onclick: (event) => attempt(() => this.again(exchange), event.currentTarget) }, words);
    this.result.append(
      h(
        "section",
        { class: "result", "aria-label": "Result" },
        h("h2", null, capital(result ?? "The game is over")),
        h(
          "div",
          { class: "row" },
          sat && h("button", { type: "button", class: "main", onclick: (event) => attempt(() => this.fresh(), event.currentTarget) }, "New game"),
          sat && again(true, "Same deal, seats exchanged"),
          h("a", { class: "button", href: `#/replay/tables/${this.id}.json?game=0&move=0` }, "Replay and understand"),
        ),
      ),
    );
  }

  async play(move) {
    if (!this.mine()) return;
    const { number, legal, seat } = this.table;
    const { words } = legal.find((each) => each.move === move);
    this.history.push(...this.table.said.map((text) => ({ text, number, own: false })), { text: `You: ${words}`, number, own: true });
    this.own.push(number);
    this.felt.dataset.state = "waiting";
    this.board.rest();
    this.only.replaceChildren();
    try {
      const after = await call(`/api/tables/${this.id}/move`, { move, number });
      this.settle(after, seat);
    } catch (error) {
      say(error.message);
      this.history = this.history.filter((line) => line.number !== number);
      await attempt(async () => this.show(await call(`/api/tables/${this.id}`)));
    }
  }

  /** The socket brings what follows, move by move; the answer itself is shown where it does not. */
  settle(after) {
    if (!this.online) this.hear(after);
    else setTimeout(() => !this.signal.aborted && this.table.number < after.number && !this.waiting.length && this.hear(after), PATIENCE);
  }

  async takeBack() {
    if (this.board.touched.length) this.board.takeBack();
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

  async again(exchange) {
    const { id } = await call(`/api/tables/${this.id}/again`, { exchange });
    location.hash = `#/play/${id}`;
  }

  /** The same rules and opponents with another deal; of a table whose beginning this browser did not see, the usual ones. */
  async fresh() {
    const [game, rules = ""] = this.table.game.split(/:(.*)/s);
    await begin({ game, rules, seat: this.table.seat, ...settings(this.id), seed: null });
  }

  adviser(label) {
    const names = this.game.players.map(({ name }) => name);
    return choice(label, names, this.game.default_opponent);
  }

  /** How fast players move where nobody else does. */
  paces() {
    const [label, select] = choice("Pace", PACES, "2", {
      onchange: (event) => attempt(() => call(`/api/tables/${this.id}/pace`, { pace: Number(event.target.value) })),
    });
    this.paced = select;
    return label;
  }

  hints() {
    const [label, select] = this.adviser("Whose advice");
    const place = h("div", { "aria-live": "polite" });
    const ask = async () => {
      const { candidates, scale, player } = await call(`/api/tables/${this.id}/hint?player=${encodeURIComponent(select.value)}`);
      place.replaceChildren(h("p", { class: "quiet small" }, `How ${player} values each move`), h("div", { class: "scroll" }, bars(candidates, scale, (move) => this.play(move))));
    };
    const button = h("button", { type: "button", onclick: (event) => attempt(ask, event.currentTarget) }, "Show the values");
    const folded = fold("Hint", { "data-hint": true }, label, h("div", { class: "row" }, button), place);
    this.forget = () => place.replaceChildren();
    return folded;
  }

  whys() {
    const [label, select] = this.adviser("Whose eyes");
    const place = h("div");
    const ask = async () => {
      const number = this.mine() ? this.table.number : (this.own.at(-1) ?? 0);
      const about = `/api/tables/${this.id}/thinking?player=${encodeURIComponent(select.value)}&number=${number}`;
      place.replaceChildren(thought(await call(about)));
    };
    const button = h("button", { type: "button", onclick: (event) => attempt(ask, event.currentTarget) }, "Show");
    return h("section", { class: "sheet" }, fold("Why? What a player sees in your place", null, h("div", { class: "row" }, label, button), place));
  }
}

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** A link for someone else: to the clipboard where that is allowed, else to be read. */
export async function share(address) {
  try {
    await navigator.clipboard.writeText(address);
    say("The link is copied.", 3);
  } catch {
    say(address, 30);
  }
}
