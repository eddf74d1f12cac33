// Watching: a new match between players, and games to replay and analyse: finished ones, logs, and files from elsewhere.
import { capital, h, heading, ruled } from "./dom.js";
import { gameField, playerFields, ruleFields, seedField } from "./home.js";
import { importForm } from "./import.js";
import { action, form } from "./say.js";
import { call, inside } from "./server.js";

export async function show() {
  const [games, logs] = await Promise.all([call("/api/games"), call("/api/logs")]);
  const place = h("div");
  const choose = (game) => place.replaceChildren(matchForm(games, game, choose));
  choose(games[0]);
  const list = h("div");
  const fill = (found) => list.replaceChildren(found.length ? h("ul", { class: "list" }, found.map((log) => item(log, refresh))) : empty());
  const refresh = async () => fill(await call("/api/logs"));
  fill(logs);
  return [
    heading("Watch", "Watch a match with open cards, or replay and analyse a finished game."),
    h("section", { class: "sheet", "aria-label": "New match" }, h("h2", null, "New match"), place),
    h("section", { class: "sheet", "aria-label": "Analyse a file" }, h("h2", null, "Analyse a file"), importForm(games)),
    h("section", { class: "page", "aria-label": "Replays" }, h("h2", null, "Replays"), list),
  ];
}

function matchForm(games, game, choose) {
  const players = playerFields(game, game.seats[0], game.default_opponent, "Player");
  const [seedLabel, seed] = seedField();
  const rules = ruleFields(game);
  const start = async () => {
    const names = players.map(([, select]) => select.value);
    const { id } = await call("/api/watch", { game: game.name, rules: rules.words(), players: names, seed: seed() });
    location.hash = `#/watch/${id}`;
  };
  const fields = h("div", { class: "fields" }, gameField(games, game, choose), players.map(([label]) => label), seedLabel);
  return form("Watch", start, fields, rules.folded)[0];
}

const empty = () => h("p", { class: "empty" }, "No games yet. Finish a game, or write a log of a match: sparring match … --log runs/games.log");

function item({ name, game, games, title, result, file, imported }, refresh) {
  const facts = [capital(ruled(game)), file, result && capital(result)].filter(Boolean).join(" · ");
  const count = h("span", { class: "badge" }, games === 1 ? "1 game" : `${games} games`);
  const words = h("span", { class: "grow" }, h("strong", null, title ?? name), h("span", { class: "quiet" }, ` · ${facts}`));
  const link = `#/replay/${inside(name)}?game=0&move=0`;
  if (!imported) return h("li", null, h("a", { class: "item", href: link }, words, count));
  const remove = async () => {
    if (!confirm(`Delete ${file}?`)) return;
    await call(`/api/imports/${imported}/delete`, {});
    await refresh();
  };
  return h("li", { class: "item" }, words, count, h("a", { class: "button", href: link }, "Replay"), action("Delete", remove, { "aria-label": `Delete ${file}` }));
}
