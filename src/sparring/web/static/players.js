// Who plays, and how well: ratings and the crosstable of all that was played in this store.
import { capital, choice, h, percent } from "./dom.js";
import { intervals } from "./chart.js";
import { call } from "./server.js";

export async function show({ asked }) {
  const games = await call("/api/games");
  const name = asked.get("game") ?? games[0].name;
  const [ratings, players] = await Promise.all([call(`/api/ratings?game=${encodeURIComponent(name)}`), call(`/api/players?game=${encodeURIComponent(name)}`)]);
  const [label] = choice("Game", games.map((game) => game.name), name, { onchange: (event) => (location.hash = `#/players?game=${event.target.value}`) });
  return [
    h("div", { class: "row spread" }, h("div", { class: "head" }, h("h1", null, "Players"), h("p", null, "Ratings are in Elo points with 95% intervals, from every match and tournament kept here.")), label),
    ratings.rating.length ? rated(ratings) : h("p", { class: "empty" }, `No match of ${name} is kept here yet. Play one: sparring tournament ${name} …`),
    h(
      "section",
      { class: "sheet", "aria-label": "All players" },
      h("h2", null, "Who plays"),
      h("table", null, h("tbody", null, players.map((player) => h("tr", null, h("th", { scope: "row" }, player.name), h("td", null, capital(player.about ?? "")))))),
    ),
  ];
}

function rated({ players, rating, table }) {
  const ordered = [...rating].sort((a, b) => b.value - a.value);
  return h(
    "div",
    { class: "page" },
    h("section", { class: "sheet", "aria-label": "Ratings" }, h("h2", null, "Ratings"), h("div", { class: "grid-scroll" }, intervals("Ratings", ordered))),
    table?.length ? h("section", { class: "sheet", "aria-label": "Crosstable" }, h("h2", null, "Crosstable"), crosstable(players, table, ordered.map((row) => row.name))) : null,
  );
}

function crosstable(players, table, order) {
  const places = order.map((name) => players.indexOf(name)).filter((place) => place >= 0);
  return h(
    "div",
    { class: "grid-scroll", tabindex: "0", role: "region", "aria-label": "Crosstable, scrolls sideways" },
    h(
      "table",
      null,
      h("caption", null, "Share of games that the row wins against the column"),
      h("thead", null, h("tr", null, h("th"), places.map((place, column) => h("th", { scope: "col", class: "number", title: players[place] }, column + 1)))),
      h("tbody", null, places.map((place, row) => h("tr", null, h("th", { scope: "row" }, `${row + 1} ${players[place]}`), places.map((other) => cell(table[place][other], place === other))))),
    ),
  );
}

function cell(share, self) {
  if (self || share === null || share === undefined) return h("td", { class: "cell quiet" }, self ? "·" : "");
  const made = h("td", { class: "cell" }, percent(share));
  made.style.background = `color-mix(in srgb, var(--accent) ${Math.round(45 * share)}%, transparent)`;
  return made;
}
