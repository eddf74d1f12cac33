// Watching: a match between players that begins now, and games that have been played.
import { capital, choice, field, fold, h, ruled } from "./dom.js";
import { playerFields, ruleFields } from "./home.js";
import { attempt } from "./say.js";
import { call, inside } from "./server.js";

export async function show() {
  const [games, logs] = await Promise.all([call("/api/games"), call("/api/logs")]);
  const place = h("div");
  const choose = (game) => place.replaceChildren(form(games, game, choose));
  choose(games[0]);
  return [
    h("div", { class: "head" }, h("h1", null, "Watch"), h("p", null, "Let players meet with open cards, or step through a game that has been played.")),
    h("section", { class: "sheet", "aria-label": "A match now" }, h("h2", null, "A match now"), place),
    h("section", { class: "page", "aria-label": "Games to replay" }, h("h2", null, "Games to replay"), listed(logs)),
  ];
}

function form(games, game, choose) {
  const [gameLabel] = choice("Game", games.map(({ name }) => name), game.name, {
    onchange: (event) => choose(games.find(({ name }) => name === event.target.value)),
  });
  const players = playerFields(game, game.seats[0], game.default_opponent, "Player");
  const [seedLabel, seed] = field("Seed", { inputmode: "numeric", placeholder: "any" });
  const rules = ruleFields(game);
  const start = async () => {
    const { id } = await call("/api/watch", {
      game: game.name,
      rules: rules.words(),
      players: players.map(([, select]) => select.value),
      seed: seed.value.trim() === "" ? null : Number(seed.value),
    });
    location.hash = `#/watch/${id}`;
  };
  const send = h("button", { class: "main" }, "Watch");
  return h(
    "form",
    { class: "page", onsubmit: (event) => { event.preventDefault(); attempt(start, send); } },
    h("div", { class: "fields" }, gameLabel, players.map(([label]) => label), seedLabel),
    rules.labels.length ? fold("Rules", null, h("div", { class: "fields" }, rules.labels)) : null,
    h("div", { class: "row" }, send),
  );
}

function listed(logs) {
  if (!logs.length) return h("p", { class: "empty" }, "There is nothing yet. Finish a game, or keep a log of a match: sparring match … --log runs/games.log");
  return h(
    "ul",
    { class: "list" },
    logs.map(({ name, game, games, title }) =>
      h("li", null, h("a", { class: "item", href: `#/replay/${inside(name)}?game=0&move=0` },
        h("span", { class: "grow" }, h("strong", null, title ?? name), h("span", { class: "quiet" }, ` · ${capital(ruled(game))}`)),
        h("span", { class: "badge" }, games === 1 ? "1 game" : `${games} games`)))),
  );
}
