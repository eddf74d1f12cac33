// The home page: one click starts a game; opponents and rules can be chosen below.
import { begin } from "./begin.js";
import { guideButton } from "./guide.js";
import { against, capital, choice, field, fold, h, heading, optionFields, ruled } from "./dom.js";
import { action, attempt, form } from "./say.js";
import { call } from "./server.js";

export async function show() {
  const [games, tables] = await Promise.all([call("/api/games"), call("/api/tables")]);
  const options = h("div");
  const more = fold("Opponents, rules, seat and seed", { id: "options" }, options);
  const choose = (game) => options.replaceChildren(tableForm(games, game, choose));
  choose(games[0]);
  const open = (game) => {
    choose(game);
    more.open = true;
    more.scrollIntoView({ block: "start" });
    options.querySelector("select")?.focus({ preventScroll: true });
  };
  return [
    heading("Choose a game", "Choose an opponent, from beginner to strongest. Your games are saved as you play."),
    unfinished(tables, new Map(games.map(({ name, people }) => [name, people]))),
    h("div", { class: "games" }, games.map((game) => card(game, open))),
    h("div", { class: "sheet" }, more),
  ].filter(Boolean);
}

function unfinished(tables, usual) {
  const open = tables.filter(({ kind, over, terminal }) => kind === "play" && !over && !terminal).slice(0, 3);
  if (!open.length) return null;
  const item = ({ id, game, names, yours }) =>
    h("li", null, h("a", { class: "item", href: `#/play/${id}` },
      h("span", { class: "grow" }, h("strong", null, capital(ruled(game, usual.get(game.split(":")[0])))), h("span", { class: "quiet" }, ` ${against(names)}`)),
      h("span", { class: `badge ${yours ? "good" : ""}` }, yours ? "your turn" : "waiting"),
      h("span", { class: "small" }, "Continue →")));
  return h("section", { "aria-label": "Unfinished games" }, h("ul", { class: "list beside" }, open.map(item)), h("p", { class: "small" }, h("a", { href: "#/games" }, "All my games")));
}

function card(game, open) {
  const picture = h("img", { src: `/static/games/${game.name}.svg`, alt: "", width: 320, height: 200 });
  const level = levelField(game);
  picture.addEventListener("error", () => (picture.src = "/static/games/other.svg"), { once: true });
  return h(
    "article",
    { class: "game" },
    picture,
    h("div", { class: "words" }, h("h2", null, game.name), h("p", null, capital(game.summary)), level.label),
    h(
      "div",
      { class: "row" },
      action("Play", () => begin({ game: game.name, rules: game.people, opponents: level.chosen() }), { class: "main", "aria-label": `Play ${game.name}`, "data-game": game.name }),
    ),
    h("div", { class: "row" }, guideButton(game, undefined, "plain"), h("button", { type: "button", class: "plain", "aria-label": `Options for ${game.name}`, onclick: () => open(game) }, "Options…")),
  );
}

/** A select of opponents by level, which this browser remembers; `chosen` names the player. */
function levelField(game) {
  if (!game.levels.length) return { label: null, chosen: () => [] };
  const key = `level ${game.name}`;
  const about = h("small");
  const shown = (player) => (about.textContent = capital(game.levels.find((level) => level.player === player)?.about ?? ""));
  const kept = localStorage.getItem(key);
  const usual = game.levels[game.levels.length >> 1].player;
  const initial = [kept, game.default_opponent].find((name) => game.levels.some(({ player }) => player === name)) ?? usual;
  const [label, select] = choice("Opponent", game.levels.map((level) => [level.player, levelName(level)]), initial, {
    onchange: () => [localStorage.setItem(key, select.value), shown(select.value)],
  });
  shown(select.value);
  label.append(about);
  return { label, chosen: () => [select.value] };
}

/** A level with its rating: `Club player (251)`. */
export const levelName = ({ name, rating }) => (rating ? `${name} (${Math.round(rating[0])})` : name);

/** A select of games; `choose` is called with the chosen one. */
export function gameField(games, game, choose) {
  return choice("Game", games.map(({ name }) => name), game.name, { onchange: (event) => choose(games.find(({ name }) => name === event.target.value)) })[0];
}

/** Fields for a game's rules, at first those by which people play; `words` writes them as the server reads them. */
export function ruleFields(game) {
  const { labels, changed } = optionFields(game.options, true, new URLSearchParams(game.people.replaceAll(",", "&")));
  const words = () => Object.entries(changed()).map(([name, value]) => `${name}=${value}`).join(",");
  return { folded: labels.length ? fold("Rules", null, h("div", { class: "fields" }, labels)) : null, words };
}

/** A field for a seed; an empty one stands for a random seed. */
export function seedField(note) {
  const [label, input] = field("Seed", { inputmode: "numeric", placeholder: "random" }, note);
  return [label, () => (input.value.trim() === "" ? null : Number(input.value))];
}

/** Selects for `count` players. Champions of runs are added when the server has found them. */
export function playerFields(game, count, chosen, title) {
  const known = new Map(game.players.map(({ name, about }) => [name, about]));
  const made = Array.from({ length: count }, (_, place) => {
    const note = h("small");
    const describe = (select) => (note.textContent = capital(known.get(select.value) ?? ""));
    const levels = new Map(game.levels.map((level) => [level.player, ` · ${levelName(level)}`]));
    for (const { player, about } of game.levels) known.set(player, about);
    const names = [...known.keys()].map((name) => [name, `${name}${levels.get(name) ?? ""}`]);
    const [label, select] = choice(count > 1 ? `${title} ${place + 1}` : title, names, chosen, { onchange: (event) => describe(event.target) });
    describe(select);
    label.append(note);
    return [label, select];
  });
  attempt(async () => {
    const found = (await call(`/api/players?game=${encodeURIComponent(game.name)}`)).filter(({ name }) => !known.has(name));
    for (const { name, about } of found) known.set(name, about);
    for (const [, select] of made) select.append(...found.map(({ name }) => h("option", { value: name }, name)));
  });
  return made;
}

function tableForm(games, game, choose) {
  const [countLabel, countSelect] = choice("Seats", game.seats.map(String), String(game.seats[0]), { onchange: () => seat() });
  const [peopleLabel, people] = choice("People", ["1", "2"], "1", { onchange: () => seat() }, "a second person joins with a link");
  const [seedLabel, seed] = seedField("the same seed gives the same cards and dice");
  const rules = ruleFields(game);
  const others = h("div", { class: "fields" });
  let opponents = [];
  let seatSelect = null;
  const seat = () => {
    const count = Number(countSelect.value);
    const made = choice("Your seat", Array.from({ length: count }, (_, place) => String(place)), "0");
    seatSelect = made[1];
    opponents = playerFields(game, Math.max(0, count - Number(people.value)), game.default_opponent, "Opponent");
    others.replaceChildren(...opponents.map(([label]) => label), made[0]);
  };
  seat();
  const start = () =>
    begin({
      game: game.name,
      rules: rules.words(),
      opponents: opponents.map(([, select]) => select.value),
      seat: Number(seatSelect.value),
      seed: seed(),
      people: Number(people.value),
    });
  const fields = h("div", { class: "fields" }, gameField(games, game, choose), game.seats.length > 1 ? countLabel : null, peopleLabel, seedLabel);
  return form("Play", start, fields, others, rules.folded)[0];
}
