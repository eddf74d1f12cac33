// The settings of runs, and those in which several runs differ.
import { h, scroller } from "./dom.js";

/** The settings of an experiment file by name: `learner.epochs`. */
function settings(toml) {
  const found = new Map();
  let table = "";
  for (const row of toml.split("\n")) {
    const head = /^\[(.+)\]$/.exec(row.trim());
    const [, key, value] = /^([\w-]+)\s*=\s*(.*)$/.exec(row.trim()) ?? [];
    if (head) table = `${head[1]}.`;
    else if (key) found.set(table + key, value);
  }
  return found;
}

/** A table of the settings that differ between runs. */
export function differing(runs) {
  const all = runs.map(({ experiment }) => settings(experiment ?? ""));
  const names = [...new Set(all.flatMap((each) => [...each.keys()]))].filter((name) => name !== "name" && new Set(all.map((each) => each.get(name))).size > 1);
  if (!names.length) return h("p", { class: "quiet" }, "These runs have the same settings.");
  const head = h("tr", null, h("th", { scope: "col" }, "Setting"), runs.map(({ name }) => h("th", { scope: "col" }, name)));
  const row = (name) => h("tr", null, h("th", { scope: "row" }, name), all.map((each) => h("td", null, each.get(name) ?? "–")));
  return scroller("Settings that differ", "grid-scroll", h("table", { "data-differing": true }, h("caption", null, "Settings that differ"), h("thead", null, head), h("tbody", null, names.map(row))));
}
