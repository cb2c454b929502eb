import { formatPath, type Path } from "../../config/index.ts";
import { UsherError } from "../../lib/errors.ts";
import { pairsMax } from "../../lib/request-bounds.ts";

/** Levels. Nothing that is read here has half as many. */
const depthMax = 32;
/** Items of a list: a report names as many visitors. */
const itemsMax = 1_000;

interface Container {
  readonly path: Path;
  readonly content: object;
}

/**
 * Refuses a body of which more would be said than anybody reads: each member and item that is wrong is a fault with words of its
 * own.
 *
 * @throws UsherError `bad_request`
 */
export function boundJson(body: unknown): void {
  let level = containersAmong([["", body]], () => []);
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > depthMax) throw tooMuch([], `nested deeper than ${depthMax} levels`);
    level = level.flatMap(containersIn);
  }
}

function containersIn({ path, content }: Container): Container[] {
  if (Array.isArray(content)) {
    if (content.length > itemsMax) throw tooMuch(path, `expected a list of at most ${itemsMax} items`);
    return containersAmong([...content.entries()], (index) => [...path, index]);
  }
  const members = Object.entries(content);
  if (members.length > pairsMax) throw tooMuch(path, `expected an object of at most ${pairsMax} members`);
  return containersAmong(members, (name) => [...path, name]);
}

function containersAmong<Key>(entries: readonly [Key, unknown][], pathOf: (key: Key) => Path): Container[] {
  return entries.flatMap(([key, value]) =>
    typeof value === "object" && value !== null ? { path: pathOf(key), content: value } : [],
  );
}

function tooMuch(path: Path, what: string): UsherError {
  return new UsherError("bad_request", `${path.length === 0 ? "body" : formatPath(path)}: ${what}`, { status: 400 });
}
