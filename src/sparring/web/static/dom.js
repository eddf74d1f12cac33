// Elements made in one call, and pictures that the server sends.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, props, children) {
  for (const [key, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "value") element.value = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** An HTML element: attributes, `onclick` and the like, then what is inside. */
export function h(tag, props, ...children) {
  return fill(document.createElement(tag), props, children);
}

/** The same for SVG. */
export function s(tag, props, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

/** A picture from the server as elements. Style attributes are left out: the page's policy forbids them. */
export function picture(text) {
  const parsed = new DOMParser().parseFromString(text.replace(/\sstyle="[^"]*"/g, ""), "image/svg+xml").documentElement;
  if (parsed.nodeName !== "svg") return h("p", { class: "empty" }, "This picture cannot be read.");
  parsed.querySelectorAll("script, foreignObject").forEach((node) => node.remove());
  const own = document.importNode(parsed, true);
  own.removeAttribute("width");
  own.removeAttribute("height");
  return own;
}

/** A part of a page that is folded until asked for. */
export function fold(title, props, ...children) {
  return h("details", { class: "fold", ...props }, h("summary", null, title), ...children);
}

/** A choice among names; each may be a text, or a value and a text. */
export function choice(label, names, chosen, props = {}, note = "") {
  const options = names.map((name) => (Array.isArray(name) ? name : [name, name]));
  const select = h(
    "select",
    props,
    options.map(([value, text]) => h("option", { value, selected: value === chosen }, text)),
  );
  return [h("label", null, label, select, note && h("small", null, note)), select];
}

/** A field to type into. */
export function field(label, props, note = "") {
  const input = h("input", { autocomplete: "off", ...props });
  return [h("label", null, label, input, note && h("small", null, note)), input];
}

/** A number as people write it: 1,234 or 57.3 or 0.571. */
export function figure(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  const size = Math.abs(value);
  const places = Number.isInteger(value) || size >= 1000 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
  return value.toLocaleString("en", { minimumFractionDigits: places, maximumFractionDigits: places });
}

/** A share as people write it: 57.3%. */
export function percent(share) {
  return share === null || share === undefined ? "–" : `${(100 * share).toFixed(1)}%`;
}

/** A word at the beginning of a line. */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A game's name with the rules that were chosen: `hearts (rounds=1)`. */
export function ruled(game) {
  const [name, rules] = game.split(/:(.*)/s);
  return rules ? `${name} (${rules.replaceAll(",", ", ")})` : name;
}

export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
