// What the page says at its lower edge: one sentence that goes away by itself.
import { h } from "./dom.js";

const place = document.getElementById("said");

export function say(sentence, seconds = 8) {
  const old = [...place.children].find((toast) => toast.firstChild.textContent === sentence);
  old?.remove();
  const toast = h("div", { class: "toast" }, h("span", null, sentence), h("button", { type: "button", "aria-label": "Close", onclick: () => toast.remove() }, "×"));
  place.append(toast);
  setTimeout(() => toast.remove(), seconds * 1000);
}

/** Do something for a click, and say what went wrong, if anything did. Its button is off meanwhile. */
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
