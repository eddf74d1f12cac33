// Watching: a new match between players, and finished games.
import { capital, h, heading, ruled } from "./dom.js";
import { gameField, playerFields, ruleFields, seedField } from "./home.js";
import { form } from "./say.js";
import { call, inside } from "./server.js";

export async function show() {
  const [games, logs] = await Promise.all([call("/api/games"), call("/api/logs")]);
  const place = h("div");
  const choose = (game) => place.replaceChildren(matchForm(games, game, choose));
  choose(games[0]);
  return [
    heading("Watch", "Watch a match with open cards, or replay a finished game."),
    h("section", { class: "sheet", "aria-label": "New match" }, h("h2", null, "New match"), place),
    h("section", { class: "page", "aria-label": "Replays" }, h("h2", null, "Replays"), logs.length ? h("ul", { class: "list" }, logs.map(item)) : empty()),
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

function item({ name, game, games, title, result }) {
  return h("li", null, h("a", { class: "item", href: `#/replay/${inside(name)}?game=0&move=0` },
    h("span", { class: "grow" }, h("strong", null, title ?? name), h("span", { class: "quiet" }, ` · ${[capital(ruled(game)), result && capital(result)].filter(Boolean).join(" · ")}`)),
    h("span", { class: "badge" }, games === 1 ? "1 game" : `${games} games`)));
}
