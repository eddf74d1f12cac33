// Players of a game with ratings and a crosstable from all stored matches.
import { capital, choice, h, heading, percent, scroller } from "./dom.js";
import { intervals } from "./chart.js";
import { call } from "./server.js";

export async function show({ query }) {
  const games = await call("/api/games");
  const name = query.get("game") ?? games[0].name;
  const [ratings, players] = await Promise.all(["ratings", "players"].map((what) => call(`/api/${what}?game=${encodeURIComponent(name)}`)));
  const [label] = choice("Game", games.map((game) => game.name), name, { onchange: (event) => (location.hash = `#/players?game=${event.target.value}`) });
  const row = (player) => h("tr", null, h("th", { scope: "row" }, player.name), h("td", null, capital(player.about ?? "")));
  return [
    h("div", { class: "row spread" }, heading("Players", "Ratings are in Elo points with 95% intervals, from all stored matches and tournaments."), label),
    ratings.rating.length ? rated(ratings) : h("p", { class: "empty" }, `No stored matches of ${name} yet. Play some with: sparring tournament ${name} …`),
    section("All players", h("table", null, h("tbody", null, players.map(row)))),
  ];
}

const section = (title, content) => h("section", { class: "sheet", "aria-label": title }, h("h2", null, title), content);

function rated({ players, rating, table }) {
  const ordered = [...rating].sort((a, b) => b.value - a.value);
  return h(
    "div",
    { class: "page" },
    section("Ratings", h("div", { class: "grid-scroll" }, intervals("Ratings", ordered))),
    table?.length ? section("Crosstable", crosstable(players, table, ordered.map((row) => row.name))) : null,
  );
}

function crosstable(players, table, order) {
  const places = order.map((name) => players.indexOf(name)).filter((place) => place >= 0);
  const heads = places.map((place, column) => h("th", { scope: "col", class: "number", title: players[place] }, column + 1));
  const rows = places.map((place, row) => h("tr", null, h("th", { scope: "row" }, `${row + 1} ${players[place]}`), places.map((other) => cell(table[place][other], place === other))));
  const caption = h("caption", null, "Share of games that the row wins against the column");
  return scroller("Crosstable, scrolls sideways", "grid-scroll", h("table", null, caption, h("thead", null, h("tr", null, h("th"), heads)), h("tbody", null, rows)));
}

function cell(share, self) {
  if (self || share === null || share === undefined) return h("td", { class: "cell quiet" }, self ? "·" : "");
  const made = h("td", { class: "cell" }, percent(share));
  made.style.background = `color-mix(in srgb, var(--accent) ${Math.round(45 * share)}%, transparent)`;
  return made;
}
