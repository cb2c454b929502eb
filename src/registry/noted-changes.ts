import type { RecordedChange, RegistryContent } from "./content.ts";

/** Number of latest changes retained, and more from the last seconds, since processes publish changes once a second. */
const changesMax = 100;
export const newsMax = 1_000;
const newsMs = 5_000;

export type Change = Omit<RecordedChange, "version" | "at_ms">;

/**
 * Adds the change to the content's log of changes, so that every process that syncs it can publish the event, even if the process that made the change has ended.
 *
 * @param version that the content will have
 */
export function withChanges<Content extends { readonly changes?: readonly RecordedChange[] | undefined }>(
  after: Content,
  news: readonly Change[],
  version: number,
  nowMs: number,
): Content {
  if (news.length === 0) return after;
  const recorded = news.map((change): RecordedChange => ({ version, at_ms: nowMs, ...change }));
  const changes = [...(after.changes ?? []), ...recorded].slice(-newsMax);
  const retained = changes.filter(({ at_ms }, index) => index >= changes.length - changesMax || at_ms > nowMs - newsMs);
  return { ...after, changes: retained };
}

/** Of an issuer. */
export function withRecordedChanges(
  before: RegistryContent,
  after: RegistryContent,
  version: number,
  nowMs: number,
): RegistryContent {
  const named = (kind: "room" | "client", all: readonly [object, object]): Change[] =>
    differences(...all).map(([id, what]) => ({ kind, id, what }));
  const byKid = ({ keys }: RegistryContent) => Object.fromEntries(keys.map((key) => [key.kid, key]));
  const keys = differences(byKid(before), byKid(after)).map(([id]): Change => {
    const key = after.keys.find(({ kid }) => kid === id);
    return { kind: "key", id, what: key?.state ?? "deleted", ...(key && { purpose: key.purpose }) };
  });
  const news = [
    ...named("room", [before.rooms ?? {}, after.rooms ?? {}]),
    ...named("client", [before.clients, after.clients]),
    ...keys,
  ];
  return withChanges(after, news, version, nowMs);
}

type What = "created" | "updated" | "deleted";

/** What differs by its JSON, by id. */
export function differences(before: object, after: object): [id: string, what: What][] {
  const old = new Map(Object.entries(before));
  const now = new Map(Object.entries(after));
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((id): [string, What][] => {
    if (!old.has(id)) return [[id, "created"]];
    if (!now.has(id)) return [[id, "deleted"]];
    return JSON.stringify(old.get(id)) === JSON.stringify(now.get(id)) ? [] : [[id, "updated"]];
  });
}
