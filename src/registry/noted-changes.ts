import type { NotedChange, RegistryContent } from "./content.ts";

/** The latest that are kept; and more of the last seconds, since processes tell what is news once a second. */
const changesMax = 100;
const newsMax = 1_000;
const newsMs = 5_000;

/**
 * The content with a note of what it changes, so that whoever syncs it can tell, though the process that made the change may be gone.
 *
 * @param version that the content will have
 */
export function withNotes(
  before: RegistryContent,
  after: RegistryContent,
  version: number,
  nowMs: number,
): RegistryContent {
  const at = { version, at_ms: nowMs };
  const named = (kind: "room" | "client", all: readonly [object, object]): NotedChange[] =>
    differences(...all).map(([id, what]) => ({ ...at, kind, id, what }));
  const byKid = ({ keys }: RegistryContent) => Object.fromEntries(keys.map((key) => [key.kid, key]));
  const keys = differences(byKid(before), byKid(after)).map(([id]): NotedChange => {
    const key = after.keys.find(({ kid }) => kid === id);
    return { ...at, kind: "key", id, what: key?.state ?? "deleted", ...(key && { purpose: key.purpose }) };
  });
  const news = [
    ...named("room", [before.rooms ?? {}, after.rooms ?? {}]),
    ...named("client", [before.clients, after.clients]),
    ...keys,
  ];
  if (news.length === 0) return after;
  const changes = [...(after.changes ?? []), ...news].slice(-newsMax);
  const kept = changes.filter(({ at_ms }, index) => index >= changes.length - changesMax || at_ms > nowMs - newsMs);
  return { ...after, changes: kept };
}

type What = "created" | "updated" | "deleted";

function differences(before: object, after: object): [id: string, what: What][] {
  const old = new Map(Object.entries(before));
  const now = new Map(Object.entries(after));
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((id): [string, What][] => {
    if (!old.has(id)) return [[id, "created"]];
    if (!now.has(id)) return [[id, "deleted"]];
    return JSON.stringify(old.get(id)) === JSON.stringify(now.get(id)) ? [] : [[id, "updated"]];
  });
}
