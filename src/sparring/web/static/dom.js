// Functions that create elements, and pictures from the server.

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

/** An HTML element with attributes, event listeners (`onclick`) and children. */
export function h(tag, props, ...children) {
  return fill(document.createElement(tag), props, children);
}

/** The same for SVG. */
export function s(tag, props, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

/** A picture from the server as elements. Style attributes are removed: the page's security policy forbids them. */
export function picture(text) {
  const parsed = new DOMParser().parseFromString(text.replace(/\sstyle="[^"]*"/g, ""), "image/svg+xml").documentElement;
  if (parsed.nodeName !== "svg") return h("p", { class: "empty" }, "This picture cannot be displayed.");
  parsed.querySelectorAll("script, foreignObject").forEach((node) => node.remove());
  const svg = document.importNode(parsed, true);
  svg.removeAttribute("width");
  svg.removeAttribute("height");
  return svg;
}

/** A text in which `words` between backticks are code. */
export const prose = (text) => text.split("`").map((part, place) => (place % 2 ? h("code", null, part) : part));

/** Buttons that save the picture of a board as a file, and copy it to the clipboard as pixels. */
export function pictureButtons(drawn, name) {
  const save = (blob, file) => {
    const link = h("a", { href: URL.createObjectURL(blob), download: file });
    link.click();
    URL.revokeObjectURL(link.href);
  };
  const copy = async () => {
    const pixels = painted(drawn());
    try {
      await navigator.clipboard.write([new ClipboardItem({ "image/png": pixels })]);
      copying.textContent = "Copied";
      setTimeout(() => (copying.textContent = "Copy picture"), 2000);
    } catch {
      save(await pixels, `${name()}.png`); // where the clipboard is closed
    }
  };
  const copying = h("button", { type: "button", class: "plain", "data-copy": true, onclick: copy }, "Copy picture");
  const saving = () => save(new Blob([drawn()], { type: "image/svg+xml" }), `${name()}.svg`);
  return [h("button", { type: "button", class: "plain", "data-save": true, onclick: saving }, "Save picture"), copying];
}

/** An SVG picture as a PNG, 1,200 pixels wide. */
async function painted(svg) {
  const drawn = picture(svg);
  const { width, height } = drawn.viewBox.baseVal;
  const scale = 1200 / width;
  drawn.setAttribute("width", width * scale);
  drawn.setAttribute("height", height * scale);
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(drawn))}`;
  await image.decode();
  const canvas = h("canvas", { width: Math.round(width * scale), height: Math.round(height * scale) });
  canvas.getContext("2d").drawImage(image, 0, 0);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

/** A page's title with an introduction. */
export const heading = (title, text = null) => h("div", { class: "head" }, h("h1", null, title), text && h("p", null, text));

/** A region that scrolls, reachable by keyboard. */
export const scroller = (label, look, ...children) => h("div", { class: look, tabindex: "0", role: "region", "aria-label": label }, ...children);

/** A section of a page that is closed at first. */
export function fold(title, props, ...children) {
  return h("details", { class: "fold", ...props }, h("summary", null, title), ...children);
}

/** A select among names; each is a string, or a value and a string. */
export function choice(label, names, chosen, props = {}, note = "") {
  const options = names.map((name) => (Array.isArray(name) ? name : [name, name]));
  const select = h(
    "select",
    props,
    options.map(([value, text]) => h("option", { value, selected: value === chosen }, text)),
  );
  return [h("label", null, label, select, note && h("small", null, note)), select];
}

/** A text field. */
export function field(label, props, note = "") {
  const input = h("input", { autocomplete: "off", ...props });
  return [h("label", null, label, input, note && h("small", null, note)), input];
}

/** A checkbox whose value this browser remembers: `yes` or `no`, and at first nothing. */
export function toggle(label, key, initially = "yes", changed = () => {}) {
  const input = h("input", { type: "checkbox", onchange: () => [localStorage.setItem(key, input.checked ? "yes" : "no"), changed()] });
  input.checked = (localStorage.getItem(key) ?? initially) === "yes";
  return h("label", { class: "check" }, input, label);
}

/** Fields for options, at first with the values `given`; `changed` returns the values that differ from their defaults. */
export function optionFields(options, rules = false, given = new URLSearchParams()) {
  const made = options.map(({ name, default: initial, choices, help, least, most, whole }) => {
    const [title, text] = [rules ? capital(name) : name, Array.isArray(initial) ? initial.join(",") : String(initial)];
    const value = given.get(name) ?? text;
    const number = typeof initial === "number" ? { type: "number", min: least, max: most, step: whole ? 1 : "any" } : {};
    const offered = choices?.length ? choices.map((each) => [each, each || "default"]) : typeof initial === "boolean" ? [["true", "yes"], ["false", "no"]] : null;
    const [label, input] = offered ? choice(title, offered, value, {}, help) : field(title, { value, ...number }, help);
    return { name, text, label, input };
  });
  const changed = () => Object.fromEntries(made.map(({ name, text, input }) => [name, input.value.trim(), text]).filter(([, value, text]) => value !== text));
  return { labels: made.map(({ label }) => label), changed };
}

/** A number with few digits: 1,234 or 57.3 or 0.571. */
export function figure(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  const size = Math.abs(value);
  const places = Number.isInteger(value) || size >= 1000 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
  return value.toLocaleString("en", { minimumFractionDigits: places, maximumFractionDigits: places });
}

/** A share as a percentage: 57.3%. */
export function percent(share) {
  return share === null || share === undefined ? "–" : `${(100 * share).toFixed(1)}%`;
}

/** A text with a capital first letter. */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A game's name with its rules, unless they are the usual ones: `name:rules` as `name (rules)`; a position is cut. */
export function ruled(game, usual = "") {
  const [name, rules = ""] = game.split(/:(.*)/s);
  const words = rules.split(",").map((word) => (word.length > 24 ? `${word.slice(0, 16)}…` : word));
  return rules && rules !== usual ? `${name} (${words.join(", ")})` : name;
}

/** Whom one plays against: `against champion`, `against champion × 3`. */
export function against(names) {
  const others = names.filter((name) => name !== "you").map((name) => name.replace(/ #\d+$/, ""));
  const counted = [...new Set(others)].map((name) => [name, others.filter((other) => other === name).length]);
  return `against ${counted.map(([name, count]) => (count > 1 ? `${name} × ${count}` : name)).join(", ")}`;
}

/** Whether the window has room for the wide picture of a table. */
export const roomy = () => matchMedia("(min-width: 961px)").matches;

export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
