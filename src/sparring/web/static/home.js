// The first screen: a game begins with one click; whoever wants to choose opponents and rules unfolds them below.
import { begin } from "./begin.js";
import { capital, choice, field, fold, h, ruled } from "./dom.js";
import { attempt } from "./say.js";
import { call } from "./server.js";

export async function show() {
  const [games, tables] = await Promise.all([call("/api/games"), call("/api/tables")]);
  const options = h("div");
  const more = fold("Opponents, rules, seat and seed", { id: "options" }, options);
  const choose = (game) => options.replaceChildren(form(games, game, choose));
  choose(games[0]);
  const open = (game) => {
    choose(game);
    more.open = true;
    more.scrollIntoView({ block: "start" });
    options.querySelector("select")?.focus({ preventScroll: true });
  };
  return [
    h("div", { class: "head" }, h("h1", null, "What shall we play?"), h("p", null, "Sit down against a champion that taught itself. Nothing to set up; a game is saved as you play it.")),
    unfinished(tables),
    h("div", { class: "games" }, games.map((game) => card(game, open))),
    h("div", { class: "sheet" }, more),
  ].filter(Boolean);
}

function unfinished(tables) {
  const open = tables.filter(({ over }) => !over).slice(0, 4);
  if (!open.length) return null;
  return h(
    "section",
    { "aria-label": "Games in play" },
    h("ul", { class: "list" }, open.map(({ id, game, names, yours }) =>
      h("li", null, h("a", { class: "item", href: `#/play/${id}` },
        h("span", { class: "grow" }, h("strong", null, capital(ruled(game))), h("span", { class: "quiet" }, ` · ${names.join(", ")}`)),
        h("span", { class: `badge ${yours ? "good" : ""}` }, yours ? "your turn" : "waiting"),
        h("span", { class: "small" }, "Go on →"))))),
  );
}

function card(game, open) {
  const against = `against ${game.default_opponent}`;
  const picture = h("img", { src: `/static/games/${game.name}.svg`, alt: "", width: 320, height: 200 });
  picture.addEventListener("error", () => (picture.src = "/static/games/other.svg"), { once: true });
  return h(
    "article",
    { class: "game" },
    picture,
    h("div", { class: "words" }, h("h2", null, game.name), h("p", null, capital(game.summary))),
    h(
      "div",
      { class: "row" },
      h("button", { type: "button", class: "main", "aria-label": `Play ${game.name} ${against}`, "data-game": game.name, onclick: (event) => attempt(() => begin({ game: game.name }), event.currentTarget) }, "Play"),
      h("button", { type: "button", class: "plain", "aria-label": `Choices for ${game.name}`, onclick: () => open(game) }, "Choose…"),
    ),
  );
}

/** Fields for a game's rules; `words` writes those that differ from the default as the server reads them. */
export function ruleFields(game) {
  const made = game.options.map((option) => {
    const usual = String(option.default);
    const [label, input] = option.choices?.length
      ? choice(capital(option.name), option.choices, usual, {}, option.help)
      : field(capital(option.name), { value: usual, inputmode: typeof option.default === "number" ? "numeric" : undefined }, option.help);
    return { name: option.name, usual, label, input };
  });
  const words = () => made.filter(({ input, usual }) => input.value.trim() !== usual).map(({ name, input }) => `${name}=${input.value.trim()}`).join(",");
  return { labels: made.map(({ label }) => label), words };
}

/** Who sits in the other seats: as many choices as there are others. Champions of runs come when the server has found them. */
export function playerFields(game, count, chosen, title) {
  const known = new Map(game.players.map(({ name, about }) => [name, about]));
  const made = Array.from({ length: count }, (_, place) => {
    const note = h("small");
    const tell = (select) => (note.textContent = capital(known.get(select.value) ?? ""));
    const [label, select] = choice(count > 1 ? `${title} ${place + 1}` : title, [...known.keys()], chosen, { onchange: (event) => tell(event.target) });
    tell(select);
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

function form(games, game, choose) {
  const [gameLabel, gameSelect] = choice("Game", games.map(({ name }) => name), game.name, {
    onchange: (event) => choose(games.find(({ name }) => name === event.target.value)),
  });
  const [countLabel, countSelect] = choice("Seats", game.seats.map(String), String(game.seats[0]), { onchange: () => seat() });
  const [peopleLabel, people] = choice("People", ["1", "2"], "1", { onchange: () => seat() }, "a second person joins by a link");
  const [seedLabel, seed] = field("Seed", { inputmode: "numeric", placeholder: "any" }, "the same seed deals the same cards and dice");
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
      seed: seed.value.trim() === "" ? null : Number(seed.value),
      people: Number(people.value),
    });
  const send = h("button", { class: "main" }, "Play");
  return h(
    "form",
    { class: "page", onsubmit: (event) => { event.preventDefault(); attempt(start, send); } },
    h("div", { class: "fields" }, gameLabel, game.seats.length > 1 ? countLabel : null, peopleLabel, seedLabel),
    others,
    rules.labels.length ? fold("Rules", null, h("div", { class: "fields" }, rules.labels)) : null,
    h("div", { class: "row" }, send),
  );
}
