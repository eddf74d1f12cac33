// Messages at the bottom of the page, and actions whose errors are shown there.
import { h } from "./dom.js";

const list = document.getElementById("said");

export function say(sentence, seconds = 8) {
  [...list.children].find((toast) => toast.firstChild.textContent === sentence)?.remove();
  const toast = h("div", { class: "toast" }, h("span", null, sentence), h("button", { type: "button", "aria-label": "Close", onclick: () => toast.remove() }, "×"));
  list.append(toast);
  setTimeout(() => toast.remove(), seconds * 1000);
}

/** Run an action and show its error, if any. Its button is disabled meanwhile. */
export async function attempt(work, button = null) {
  if (button) button.disabled = true;
  try {
    return await work();
  } catch (error) {
    say(error.message);
    return undefined;
  } finally {
    if (button) button.disabled = false;
  }
}

/** A button that runs an action. */
export function action(label, work, props = {}) {
  const button = h("button", { type: "button", ...props, onclick: () => attempt(work, button) }, label);
  return button;
}

/** A form with a button that runs an action. */
export function form(label, work, ...content) {
  const send = h("button", { class: "main" }, label);
  const onsubmit = (event) => {
    event.preventDefault();
    attempt(work, send);
  };
  return [h("form", { class: "page", onsubmit }, ...content, h("div", { class: "row" }, send)), send];
}
