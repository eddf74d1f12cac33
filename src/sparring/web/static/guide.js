// How to play: the rules of a game in a few sentences, with a picture, what counts, and what each control does.
import { capital, h, picture } from "./dom.js";
import { call } from "./server.js";

/** A button that shows a game's guide; `drawn` gives the picture of a table, if one is at hand. */
export function guideButton(game, drawn = () => "", look = "") {
  if (!game.guide) return "";
  return h("button", { type: "button", class: look, "data-guide": game.name, "aria-label": `How to play ${game.name}`, onclick: () => open(game, drawn()) }, "How to play");
}

async function open(game, svg) {
  const { rules, scores, controls } = game.guide;
  const place = h("div", { class: "board" });
  const close = h("button", { type: "button", class: "main", onclick: () => dialog.close() }, "Close"); // above all else: it gets the focus
  const row = ([part, what]) => h("tr", null, h("th", { scope: "row" }, capital(part)), h("td", null, capital(what)));
  const title = h("h2", null, `How to play ${game.name}`);
  const list = h("ul", null, rules.map((sentence) => h("li", null, sentence)));
  const words = h("div", { class: "page" }, list, h("h3", null, "What counts"), h("p", null, scores), h("h3", null, "Controls"), h("table", null, h("tbody", null, controls.map(row))));
  const dialog = h("dialog", { class: "guide", "aria-label": title.textContent, onclose: () => dialog.remove() }, h("div", { class: "row spread" }, title, close), h("div", { class: "columns" }, words, place));
  document.body.append(dialog);
  addEventListener("hashchange", () => dialog.close(), { once: true });
  dialog.showModal();
  const found = svg || (await call(`/api/games/${game.name}/picture`).catch(() => null))?.svg;
  if (found) place.append(still(found));
  else place.append(h("img", { src: `/static/games/${game.name}.svg`, alt: "" }));
}

/** The picture of a table without parts to click. */
function still(svg) {
  const drawn = picture(svg);
  drawn.setAttribute("role", "img");
  for (const part of drawn.querySelectorAll("[data-part]")) for (const name of ["data-part", "aria-label"]) part.removeAttribute(name);
  return drawn;
}
