// Shows the page that the part of the address after `#` names.
import { h } from "./dom.js";
import { say } from "./say.js";
import * as games from "./games.js";
import * as home from "./home.js";
import * as play from "./play.js";
import * as players from "./players.js";
import * as replay from "./replay.js";
import * as reports from "./reports.js";
import * as runs from "./runs.js";
import * as watch from "./watch.js";

// Pages by the first part of the address: without a name, and with a name after it.
const PAGES = {
  play: [home, play],
  watch: [watch, play],
  replay: [watch, replay],
  runs: [runs.all, runs.one],
  players: [players, players],
  games: [games, games],
  record: [games, games],
  reports: [reports.all, reports.one],
};
const TAB = { replay: "watch", record: "games" };

const main = document.getElementById("main");
let shown = new AbortController();

/** `#/replay/a/b.log?game=2` as its page, name and query. */
export function address(hash) {
  const [path, search = ""] = hash.replace(/^#\/?/, "").split("?");
  const [page, ...rest] = path.split("/");
  return { page: page || "play", name: rest.map(decodeURIComponent).join("/"), query: new URLSearchParams(search) };
}

async function show() {
  const { page, name, query } = address(location.hash);
  shown.abort();
  shown = new AbortController();
  const { signal } = shown;
  for (const link of document.querySelectorAll(".nav a")) {
    if (link.dataset.page === (TAB[page] ?? page)) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  const place = h("div", { class: "page" }, h("p", { class: "loading" }, "Loading…"));
  main.replaceChildren(place);
  const found = PAGES[page];
  try {
    if (!found) throw new Error(`There is no page named ${page}.`);
    const content = await (name ? found[1] : found[0]).show({ name, query, signal });
    if (signal.aborted) return;
    place.replaceChildren(...content);
  } catch (error) {
    if (signal.aborted) return;
    place.replaceChildren(
      h("div", { class: "empty" }, h("p", null, error.message), h("p", null, h("a", { href: "#/" }, "Back to the games"))),
    );
  }
  document.title = `${main.querySelector("h1")?.textContent ?? "Sparring"} · Sparring`;
  scrollTo(0, 0);
}

function switchTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  localStorage.setItem("theme", root.dataset.theme);
}

document.getElementById("theme").addEventListener("click", switchTheme);
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
addEventListener("hashchange", async () => {
  await show();
  main.focus({ preventScroll: true });
});
addEventListener("unhandledrejection", (event) => say(event.reason?.message ?? "Something went wrong."));
show();
