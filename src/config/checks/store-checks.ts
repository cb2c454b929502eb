/** What a schema can't see in stores: names that refer to nothing, and what cannot be kept together or apart. Goes by the raw document. */
import { leadToSameKeys, parseRedisUrl, redisUrlFault } from "../../lib/redis-url.ts";
import { entriesOfIssuers, formatPath, namesAt, type Path, valueAt } from "../raw-document.ts";
import { defaultKeyPrefix } from "../schema/schema.ts";
import type { ValuesByPlace } from "../secrets/resolve-secrets.ts";
import { didYouMean, type Fault, faultAt } from "./faults.ts";
import { SHARED_OUTFLOW } from "./room-checks.ts";

export interface StoreSources {
  /** The address of a Redis that wins over the document's store; null where there is none. */
  readonly ofEnvironment: string | null;
  /** Resolved secrets. */
  readonly values: ValuesByPlace;
}

const noName = "expected a name of lower-case letters, digits and hyphens, at most 32, not beginning with a hyphen";

export function checkStores(raw: unknown, sources: StoreSources): Fault[] {
  const names = namesAt(raw, ["stores"]);
  const rooms = entriesOfIssuers(raw, "rooms");
  return [
    ...names
      .filter((name) => !/^[a-z0-9][a-z0-9-]{0,31}$/.test(name))
      .map((name) => ({ ...faultAt(raw, ["stores", name], noName), value: null })),
    ...notBesideMemory(raw, names, sources),
    ...sameKeys(raw, names, sources),
    ...rooms.flatMap((room) => unknownStore(raw, [...room, "store"], names)),
    ...outflowsApart(raw, rooms),
    ...outflowsInClusters(raw, rooms, sources),
  ];
}

/** The sentence for a store that a room names and nobody knows. */
export function noSuchStore(name: string, names: readonly string[]): string {
  const existing = names.length === 0 ? "there are none" : `there are ${names.slice(0, 10).join(", ")}`;
  return `no such entry of stores${didYouMean(name, names)}; ${existing}`;
}

function unknownStore(raw: unknown, path: Path, names: readonly string[]): Fault[] {
  const name = valueAt(raw, path);
  if (typeof name !== "string" || name === "" || names.includes(name)) return [];
  return [faultAt(raw, path, noSuchStore(name, names))];
}

/** What the processes of an installation agree on is in `store`, and rooms in Redis are shared by several. */
function notBesideMemory(raw: unknown, names: readonly string[], { ofEnvironment }: StoreSources): Fault[] {
  const type = ofEnvironment === null ? (valueAt(raw, ["store", "type"]) ?? "memory") : "redis";
  if (names.length === 0 || type !== "memory") return [];
  const message =
    "not beside stores: what belongs to no room is kept in store, for all processes, so it needs { type: redis, url: … }, too";
  return [faultAt(raw, ["store", "type"], message)];
}

/** They would fail and be flooded together. */
function sameKeys(raw: unknown, names: readonly string[], sources: StoreSources): Fault[] {
  const all = [
    { where: "store", path: ["store", "url"], url: urlOf(undefined, sources), prefix: prefixAt(raw, ["store"]) },
    ...names.map((name) => ({
      where: formatPath(["stores", name]),
      path: ["stores", name, "url"],
      url: urlOf(name, sources),
      prefix: prefixAt(raw, ["stores", name]),
    })),
  ];
  return all.flatMap(({ path, url, prefix }, index) => {
    const first = all
      .slice(0, index)
      .find((other) => url !== null && other.url !== null && other.prefix === prefix && leadToSameKeys(other.url, url));
    if (first === undefined) return [];
    return [
      { ...faultAt(raw, path, `leads to the same keys as ${first.where}: a store of its own needs another server`) },
    ];
  });
}

/** One script must see all rooms of an outflow. */
function outflowsApart(raw: unknown, rooms: readonly Path[]): Fault[] {
  const firsts = new Map<unknown, Path>();
  return rooms.flatMap((room) => {
    const outflow = valueAt(raw, [...room, ...SHARED_OUTFLOW]) ?? null;
    if (outflow === null) return [];
    const first = firsts.get(outflow) ?? room;
    firsts.set(outflow, first);
    if (valueAt(raw, [...first, "store"]) === valueAt(raw, [...room, "store"])) return [];
    const message = `is that of ${formatPath(first)}, too, which is in another store: one script must see all its rooms`;
    return [faultAt(raw, [...room, ...SHARED_OUTFLOW], message)];
  });
}

/** A Redis Cluster keeps rooms apart. */
function outflowsInClusters(raw: unknown, rooms: readonly Path[], sources: StoreSources): Fault[] {
  return rooms
    .filter((room) => (valueAt(raw, [...room, ...SHARED_OUTFLOW]) ?? null) !== null)
    .flatMap((room) => {
      const name = valueAt(raw, [...room, "store"]);
      const named = typeof name === "string" ? name : undefined;
      if (!isCluster(urlOf(named, sources))) return [];
      const where = named === undefined ? "store.url" : `stores.${named}.url`;
      const message = `not with a cluster (${where}): one script must see all its rooms; use a single Redis or Sentinel, or give each room outflow_per_minute`;
      return [faultAt(raw, [...room, ...SHARED_OUTFLOW], message)];
    });
}

function prefixAt(raw: unknown, store: Path): string {
  const prefix = String(valueAt(raw, [...store, "prefix"]) ?? defaultKeyPrefix);
  return prefix.endsWith(":") ? prefix : `${prefix}:`;
}

/** Null where there is none, or where it can't be told. */
function urlOf(name: string | undefined, { ofEnvironment, values }: StoreSources): string | null {
  if (name === undefined && ofEnvironment !== null) return ofEnvironment;
  return values.get(name === undefined ? "store.url" : formatPath(["stores", name, "url"]))?.[0] ?? null;
}

function isCluster(url: string | null): boolean {
  // A faulty URL is reported where URLs are checked.
  return url !== null && redisUrlFault(url) === null && parseRedisUrl(url).kind === "cluster";
}
