// Cards, checkers and troops travel from where they lay in the last picture to where they lie in the new one.
import { s, still } from "./dom.js";

const PIECES = 'g:has(> use[href="#card-paper"]), circle[stroke], g[data-grip]:not(:has(circle))';
const BACKS = 'use[href="#card-back"]';
const NEAR = 3; // pixels within which a piece has not moved
const TIME = 300; // milliseconds
const MOST = 8; // pieces that travel at once: more is a new deal

const found = (root, selector) => [...root.querySelectorAll(selector)].filter((part) => !part.closest("defs, .ghost, .travelling"));

function middle(part) {
  const box = part.getBoundingClientRect();
  return { part, x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

const far = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);
const nearest = (from, all) => all.reduce((best, each) => (!best || far(from, each) < far(from, best) ? each : best), null);
const look = (part) => part.innerHTML || `${part.getAttribute("fill")} ${part.getAttribute("r")}`;
const without = (some, others) => some.filter((one) => !others.some((other) => far(one, other) < NEAR));

/** Where the pieces of a picture lie, by their look, relative to the picture. */
export function lying(root) {
  const svg = root.querySelector("svg");
  if (!svg || still()) return null;
  const corner = svg.getBoundingClientRect();
  const place = (part) => {
    const at = middle(part);
    return { ...at, x: at.x - corner.x, y: at.y - corner.y };
  };
  const pieces = new Map();
  for (const part of found(svg, PIECES)) pieces.set(look(part), [...(pieces.get(look(part)) ?? []), place(part)]);
  return { pieces, backs: found(svg, BACKS).map(place), wide: corner.width };
}

/** Let pieces travel from where they lay before; a card that was not seen before comes from the nearest back that is gone. */
export function travel(before, root) {
  const now = before && lying(root);
  if (!now || Math.abs(now.wide - before.wide) > 1) return;
  const gone = without(before.backs, now.backs);
  const trips = [];
  for (const [name, places] of now.pieces) {
    const known = before.pieces.get(name);
    const left = known ? without(known, places) : gone;
    for (const to of known ? without(places, known) : places) {
      const from = nearest(to, left);
      if (!from || far(from, to) < NEAR) continue;
      left.splice(left.indexOf(from), 1);
      trips.push({ from, to });
    }
  }
  if (trips.length <= MOST) trips.forEach(go);
}

/** A copy above everything else makes the way, while the piece itself is hidden. */
function go({ from, to }) {
  const { part } = to;
  const root = part.ownerSVGElement;
  const screen = root.getScreenCTM();
  const place = screen.inverse().multiply(part.parentNode.getScreenCTM());
  const within = s("g", { transform: `matrix(${place.a} ${place.b} ${place.c} ${place.d} ${place.e} ${place.f})` }, part.cloneNode(true));
  const copy = s("g", { class: "travelling", "aria-hidden": "true" }, within);
  for (const each of copy.querySelectorAll("[data-part], [tabindex]")) for (const name of ["data-part", "tabindex", "role"]) each.removeAttribute(name);
  root.append(copy);
  part.classList.add("away");
  const [x, y] = [(from.x - to.x) / screen.a, (from.y - to.y) / screen.d];
  const moving = copy.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], { duration: TIME, easing: "ease-in-out" });
  moving.finished.catch(() => null).then(() => {
    copy.remove();
    part.classList.remove("away");
  });
}
