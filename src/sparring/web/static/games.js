// A person's games, unfinished and finished, of the page and of the terminal; below them the record.
import { against, capital, h, heading, prose, ruled } from "./dom.js";
import * as record from "./record.js";
import { action } from "./say.js";
import { call } from "./server.js";

export async function show() {
  const [tables, games, records] = await Promise.all([call("/api/tables"), call("/api/games"), record.show()]);
  const usual = new Map(games.map(({ name, people }) => [name, people]));
  const place = h("div", { class: "page" });
  const fill = (found) => {
    const played = found.filter(({ kind }) => kind === "play");
    const list = (title, listed) => (listed.length ? h("section", { class: "page", "aria-label": title }, h("h2", null, title), h("ul", { class: "list" }, listed.map((game) => item(game, usual.get(game.game.split(":")[0]), refresh)))) : "");
    place.replaceChildren(list("Unfinished", played.filter(({ over }) => !over)), list("Finished", played.filter(({ over }) => over)));
    if (!played.length) place.append(h("div", { class: "empty" }, h("p", null, "No games yet."), h("p", null, h("a", { class: "button main", href: "#/" }, "Play a game"))));
  };
  const refresh = async () => fill(await call("/api/tables"));
  fill(tables);
  const elsewhere = h("p", { class: "small" }, h("a", { href: "#/watch" }, "Analyse a game from elsewhere"));
  return [heading("My games", prose("Games of this page and of the terminal. They are kept as you play; `sparring play --resume` continues in the terminal.")), place, elsewhere, ...records];
}

function item(game, usual, refresh) {
  const { id, names, over, yours, result, number, changed, terminal } = game;
  const when = new Date(1000 * changed).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });
  const open = async () => {
    if (terminal) await call(`/api/tables/${id}/join`, {});
    location.hash = `#/play/${id}`;
  };
  const remove = async () => {
    if (!confirm("Delete this game? What it counted for your record stays.")) return;
    await call(`/api/tables/${id}/leave`, {});
    await refresh();
  };
  const facts = [against(names), terminal ? "terminal" : "", `${number} ${number === 1 ? "move" : "moves"}`, when].filter(Boolean).join(" · ");
  return h("li", { class: "item", "data-table": id },
    h("div", { class: "grow" }, h("strong", null, capital(ruled(game.game, usual))), h("span", { class: "quiet" }, ` ${facts}`), over ? h("div", { class: "small" }, capital(result ?? "over")) : ""),
    over ? "" : h("span", { class: `badge ${yours ? "good" : ""}` }, yours ? "your turn" : "waiting"),
    over ? h("a", { class: "button", href: `#/replay/tables/${id}.json?game=0&move=0` }, "Replay") : action("Continue", open, { class: "main" }),
    action("Delete", remove, { "aria-label": `Delete the game of ${game.game} of ${when}` }));
}
