// The board: a picture whose parts are clicked, chosen by keyboard, or dragged onto each other.
import { capital, h, picture, s, still } from "./dom.js";
import { nextParts } from "./sequences.js";
import { lying, travel } from "./travel.js";

const FAR = 7; // pixels after which a press becomes a drag
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Board {
  /**
   * `play` is called with a complete move, or with several that are chosen together; `changed` after every click or undo.
   * `sketch`, if the game supports it, draws the board with an incomplete move, which is then confirmed when it is complete.
   */
  constructor(play, changed, sketch = null) {
    Object.assign(this, { play, changed, sketch, legal: [], touched: [], together: 1, pending: null, hinted: [], next: new Map(), drag: null, held: null, drawings: new Map() });
    this.element = h("div", { class: "board" });
    this.buttons = h("div", { class: "hands", role: "group", "aria-label": "More choices" });
    const handlers = { click: "click", keydown: "key", pointerdown: "press", pointermove: "pull", pointerup: "drop", pointercancel: "endDrag" };
    for (const [type, handler] of Object.entries(handlers)) this.element.addEventListener(type, (event) => this[handler](event));
  }

  /** Show a picture and its legal moves. */
  show(svg, text, legal, together = 1) {
    this.endDrag();
    Object.assign(this, { legal, together, touched: [], pending: null, hinted: [] });
    this.whole = { svg, text };
    this.draw(svg, text);
  }

  /** Draw, highlight changes, and keep the keyboard focus. */
  draw(svg, text) {
    const had = this.had();
    const before = this.drawings;
    const lay = this.dropped ? null : lying(this.element); // what a hand has moved does not travel again
    this.dropped = false;
    const drawn = svg ? picture(svg) : h("pre", null, text);
    if (svg) drawn.setAttribute("role", "group");
    this.element.replaceChildren(drawn);
    this.drawings = new Map([...this.parts()].map((part) => [part.dataset.part, part.innerHTML]));
    for (const part of this.parts()) {
      const name = part.dataset.part;
      if (before.has(name) && before.get(name) !== this.drawings.get(name) && !still()) part.classList.add("changed");
    }
    this.sketched = !this.whole || svg !== this.whole.svg;
    this.mark();
    travel(lay, this.element);
    this.held = had;
    if (had !== null && this.next.size) this.focus(had);
  }

  /** Show the incomplete move once the server has drawn it. */
  async follow() {
    const { touched, legal } = this;
    if (!this.sketch || this.drag) return;
    if (!touched.length) {
      if (this.sketched) this.draw(this.whole.svg, this.whole.text);
      return;
    }
    const svg = await this.sketch(touched);
    if (svg && touched === this.touched && legal === this.legal && !this.drag) this.draw(svg, "");
  }

  /** The part that has the focus, or had it when a move was played; null if the focus is elsewhere. */
  had() {
    const now = document.activeElement;
    if (this.element.contains(now) || this.buttons.contains(now)) return now.dataset.part ?? "";
    return now === document.body ? this.held : null;
  }

  /** Disable all parts until the next picture. */
  rest() {
    this.held = this.had();
    Object.assign(this, { legal: [], touched: [], pending: null, hinted: [] });
    this.mark();
  }

  parts() {
    return this.element.querySelectorAll("[data-part]:not(.ghost [data-part])");
  }

  part(name) {
    return this.element.querySelector(`[data-part="${CSS.escape(name)}"]`);
  }

  /** The label of a part. */
  named(name) {
    return this.part(name)?.getAttribute("aria-label") ?? capital(name);
  }

  /** Mark the parts that may be clicked. */
  mark() {
    this.next = this.pending !== null ? new Map() : nextParts(this.legal, this.together > 1 ? [] : this.touched);
    for (const part of this.parts()) {
      const name = part.dataset.part;
      const live = this.next.has(name);
      const touched = this.touched.includes(name);
      part.classList.toggle("live", live);
      part.classList.toggle("touched", touched);
      part.classList.toggle("hinted", this.hinted.includes(name));
      const attributes = { role: live || touched ? "button" : "img", tabindex: live || touched ? "0" : null, "aria-pressed": touched ? "true" : null };
      for (const [key, value] of Object.entries(attributes)) value === null ? part.removeAttribute(key) : part.setAttribute(key, value);
    }
    const hidden = [...this.next.keys()].filter((name) => !this.part(name));
    this.element.classList.toggle("calm", this.next.size - hidden.length > 60);
    this.buttons.replaceChildren(
      ...hidden.map((name) =>
        h("button", { type: "button", class: this.hinted.includes(name) ? "hinted" : "", "data-button": name, onclick: () => this.touch(name) }, capital(name)),
      ),
      ...this.controls(),
    );
    this.changed();
  }

  /** Mark the parts of a move. */
  hint(parts) {
    this.hinted = parts;
    this.mark();
  }

  /** Buttons for a move that is begun, complete, or chosen together with others. */
  controls() {
    const button = (label, act, look, props = {}) => h("button", { type: "button", class: look, onclick: act, ...props }, label);
    const { length } = this.touched;
    if (this.together > 1 && this.legal.length) {
      const ready = length === this.together;
      return [button(ready ? "Confirm" : `Confirm (${length} of ${this.together})`, () => this.confirm(), "main", { disabled: !ready, "data-confirm": true })];
    }
    if (!length) return [];
    const back = this.sketch && length > 1 ? button("Undo", () => this.stepBack(), "", { "data-undo": true }) : null;
    return [
      ...(this.pending !== null ? [button("Confirm", () => this.confirm(), "main", { "data-confirm": true })] : []),
      ...(back ? [back] : []),
      button("Cancel", () => this.takeBack(), "plain"),
    ];
  }

  /** Choose or release one of the moves that are made together. */
  pick(name) {
    if (this.touched.includes(name)) this.touched = this.touched.filter((part) => part !== name);
    else if (this.next.has(name) && this.touched.length < this.together) this.touched = [...this.touched, name];
    else return;
    this.mark();
    this.focus(name);
  }

  confirm() {
    this.play(this.pending !== null ? [this.pending] : this.touched.map((name) => this.next.get(name)));
  }

  /** Click a part: it completes, continues or starts a move; clicking the last part again releases it. */
  touch(name) {
    if (this.together > 1) return this.pick(name);
    if (this.next.has(name)) {
      const move = this.next.get(name);
      if (move !== null && !(this.sketch && this.touched.length && confirms())) return this.play([move]);
      this.pending = move;
      this.touched = [...this.touched, name];
    } else if (this.pending === null && this.touched.at(-1) === name) {
      this.touched = this.touched.slice(0, -1);
    } else if (this.pending === null && nextParts(this.legal, []).has(name)) {
      this.touched = [];
      this.next = nextParts(this.legal, []);
      return this.touch(name);
    } else {
      return undefined;
    }
    this.mark();
    if (this.pending !== null) this.buttons.querySelector("[data-confirm]").focus({ preventScroll: true });
    else this.focus(name);
    return this.follow();
  }

  /** Release the parts clicked from `count` on. */
  release(count) {
    if (!this.touched.length) return;
    this.touched = this.touched.slice(0, count);
    this.pending = null;
    this.mark();
    this.follow();
  }

  takeBack() {
    this.release(0);
  }

  /** Undo the last step of a move: a part that is picked up, or the place it was put. */
  stepBack() {
    this.release(this.touched.length - (this.touched.length % 2 || 2));
  }

  /** Focus a part, or else the first that may be clicked. */
  focus(name) {
    const part = name ? this.part(name) : null;
    const aim = part?.hasAttribute("tabindex") ? part : this.element.querySelector(".live") ?? this.buttons.querySelector("button");
    aim?.focus({ preventScroll: true });
  }

  click(event) {
    if (this.dragged) {
      this.dragged = false;
      return;
    }
    const part = event.target.closest("[data-part]");
    if (part) this.touch(part.dataset.part);
  }

  key(event) {
    const part = event.target.closest("[data-part]");
    if (event.key === "Escape" && this.touched.length) {
      this.takeBack();
      this.focus("");
    } else if (part && (event.key === "Enter" || event.key === " ")) {
      this.touch(part.dataset.part);
    } else if (part && ARROWS[event.key]) {
      this.step(part, ARROWS[event.key]);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** Focus the nearest active part in a direction. */
  step(from, [across, down]) {
    const here = middle(from);
    let best = null;
    let least = Infinity;
    for (const part of this.element.querySelectorAll("[tabindex]")) {
      const there = middle(part);
      const along = (there.x - here.x) * across + (there.y - here.y) * down;
      const aside = Math.abs((there.x - here.x) * down) + Math.abs((there.y - here.y) * across);
      if (part !== from && along > 1 && along + 2 * aside < least) [best, least] = [part, along + 2 * aside];
    }
    best?.focus({ preventScroll: true });
  }

  press(event) {
    this.dragged = false;
    const part = event.target.closest("[data-part].live, [data-part].touched");
    if (!part || event.button) return;
    if (event.target.hasPointerCapture?.(event.pointerId)) event.target.releasePointerCapture(event.pointerId);
    this.drag = { part, name: part.dataset.part, x: event.clientX, y: event.clientY, ghost: null };
  }

  pull(event) {
    const { drag } = this;
    if (!drag) return;
    const [across, down] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.ghost) {
      if (Math.hypot(across, down) < FAR) return;
      drag.completes = (this.next.get(drag.name) ?? null) !== null;
      if (!drag.completes && this.touched.at(-1) !== drag.name) this.touch(drag.name);
      drag.ghost = ghost(drag.part);
      this.element.querySelector("svg")?.append(drag.ghost.element);
      this.element.setPointerCapture(event.pointerId);
    }
    drag.ghost.to(across, down);
  }

  /** Dragging a part onto another clicks both; a part that completes a move may be dropped anywhere. */
  drop(event) {
    const { drag } = this;
    if (!drag?.ghost) {
      this.drag = null;
      return;
    }
    this.endDrag();
    this.dragged = this.dropped = true;
    setTimeout(() => (this.dragged = false), 0);
    const under = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-part]");
    const aim = under && this.element.contains(under) ? under.dataset.part : null;
    if (drag.completes) {
      if (aim !== drag.name && !this.touched.includes(drag.name)) this.touch(drag.name);
    } else if (aim !== null && aim !== drag.name && this.next.has(aim)) {
      this.touch(aim);
    } else if (aim !== drag.name) {
      this.touched = this.touched.slice(0, -1);
      this.mark();
      this.follow();
    }
  }

  endDrag() {
    this.drag?.ghost?.element.remove();
    this.drag = null;
  }
}

/** Whether plays of several steps are confirmed: a person can switch it off. */
const confirms = () => localStorage.getItem("confirm") !== "no";

function middle(part) {
  const box = part.getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** A copy that follows the pointer: of the part's `data-grip` if it has one, or of the whole part. */
function ghost(part) {
  const root = part.ownerSVGElement;
  const held = part.querySelector("[data-grip]") ?? part;
  const screen = root.getScreenCTM();
  const place = screen.inverse().multiply(held.parentNode.getScreenCTM());
  const copy = held.cloneNode(true);
  copy.removeAttribute("data-part");
  copy.removeAttribute("tabindex");
  copy.setAttribute("class", "");
  const within = s("g", { transform: `matrix(${place.a} ${place.b} ${place.c} ${place.d} ${place.e} ${place.f})` }, copy);
  const element = s("g", { class: "ghost", "aria-hidden": "true" }, within);
  const to = (across, down) => element.setAttribute("transform", `translate(${across / screen.a} ${down / screen.d})`);
  return { element, to };
}
