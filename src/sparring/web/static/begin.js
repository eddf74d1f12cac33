// Sitting down at a new table, and remembering how, for another game of the same kind.
import { call } from "./server.js";

const USUAL = { rules: "", opponents: [], seat: 0, seed: null, people: 1 };

/** A new table, with the usual choices for what is not said. */
export async function begin(asked) {
  const { id } = await call("/api/tables", { ...USUAL, ...asked });
  sessionStorage.setItem(`table ${id}`, JSON.stringify(asked));
  location.hash = `#/play/${id}`;
}

/** How a table was begun, where this browser began it. */
export function settings(id) {
  return JSON.parse(sessionStorage.getItem(`table ${id}`) ?? "{}");
}
