import type { Context } from "koa";
import { type Path, unknownWord } from "../../config/index.ts";
import { badRequest } from "./bodies.ts";

/** The faults found so far are enough: searching for the intended name of each further one costs time. */
const faultsMax = 5;

/**
 * Refuses unknown query parameters: a misspelt one would have no effect without any sign of it.
 *
 * @throws UsherError `bad_request` that names those that are not taken
 */
export function refuseUnknownQuery(ctx: Context, taken: readonly string[]): void {
  const unknown = Object.keys(ctx.query).filter((name) => !taken.includes(name));
  if (unknown.length === 0) return;
  throw badRequest(unknown.slice(0, faultsMax).map((name) => ({ path: shown(name), message: whyNot(name, taken) })));
}

function whyNot(name: string, taken: readonly string[]): string {
  return taken.length === 0
    ? "unknown query parameter; this request takes none"
    : unknownWord("query parameter", name, taken);
}

function shown(name: string): Path {
  return [name.slice(0, 64)];
}
