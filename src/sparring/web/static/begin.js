// Creates tables, and remembers their settings for another game.
import { call } from "./server.js";

const DEFAULTS = { rules: "", opponents: [], seat: 0, seed: null, people: 1 };

/** Create a table and open it. */
export async function begin(chosen) {
  const { id } = await call("/api/tables", { ...DEFAULTS, ...chosen });
  sessionStorage.setItem(`table ${id}`, JSON.stringify(chosen));
  location.hash = `#/play/${id}`;
}

/** The settings of a table that this browser created. */
export function settings(id) {
  return JSON.parse(sessionStorage.getItem(`table ${id}`) ?? "{}");
}
