/** What a browser keeps of rooms: how much, and what goes first. Places are real tickets of real rooms. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { beforeEach, expect, test } from "vitest";
import { createCookieBound, createVisitorCookies } from "../../../../src/oidc/index.ts";
import type { WaitingRoom } from "../../../../src/room/index.ts";
import { createArrivalStamps, createKeyRing } from "../../../../src/room/tickets/ticket.ts";
import { createSharedWorld, joinOne, type Process, type SharedWorld } from "../../room/processes.ts";

const cookies = createVisitorCookies(false);
const stamps = createArrivalStamps(createKeyRing([{ kid: "a", secret: Buffer.alloc(32, 1) }]));
let world: SharedWorld;
let process: Process;
let place: string;

beforeEach(async () => {
  world = createSharedWorld("cookie bound");
  process = world.process("a", { isNewInstallation: true });
  await process.refresh();
  place = process.room.encode(await joinOne(process, world.clock.now()));
});

/** Each id is a room in which a ticket of the one real room is a place. */
function visit(pairs: readonly string[], options: { added?: { name: string; length: number }; isAway?: boolean } = {}) {
  const rooms = {
    get: (id: string) =>
      id.startsWith("gone")
        ? undefined
        : ({
            id,
            availability: options.isAway ? "away" : "ready",
            read: (value: string) => process.room.read(value),
            describe: (ticket: never) => process.room.describe(ticket),
          } as unknown as WaitingRoom),
  };
  let sent: string[] = [];
  const res = {
    getHeader: () => sent,
    setHeader: (_: string, values: string[]) => {
      sent = values;
    },
  } as unknown as ServerResponse;
  const req = { headers: { cookie: pairs.join("; ") } } as IncomingMessage;
  const bound = createCookieBound(cookies, rooms as never, stamps);
  const places = bound({ req, res }, "visited", options.added)?.map(({ id }) => id) ?? null;
  return { places, cleared: sent.map((each) => each.split("=")[0]) };
}
const many = (count: number, pair: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => pair(index));
const waste = (index: number) => `usher-gone-${index}=${"x".repeat(170)}`;

test("the oldest that wait for nothing go first, and no more of them than is too much", () => {
  const { places, cleared } = visit([`usher-a=${place}`, ...many(18, waste), `usher-visited=${place}`]);
  expect(places).toBeNull();
  expect(cleared.length).toBeGreaterThanOrEqual(2);
  expect(cleared).toEqual(cleared.map((_, index) => `usher-gone-${index}`));
});

test("what a place needs stays with it: its key, who the visitor is, and its copies; what nothing needs goes, wherever it stands", () => {
  const needed = ["", ".key", ".identity", ".place.1-1"].map((suffix) => `usher-a${suffix}=${place}`);
  const copies = [`usher-b.place.1-1=${place}`, `usher-b.key=k`];
  const spent = [`usher-c.key=${place}`, `usher-c.identity=${"x".repeat(900)}`, `usher-a.check=${"x".repeat(300)}`];
  const { places, cleared } = visit([...spent, ...needed, ...copies, ...many(20, waste)]);
  expect(places).toBeNull();
  expect(cleared.slice(0, 3)).toEqual(["usher-c.key", "usher-c.identity", "usher-a.check"]);
  expect(cleared.every((name) => /^usher-(c\.|a\.check|gone)/.test(String(name)))).toBe(true);
});

test("an arrival is kept where the store is away, since it gets its place by it; a forged one, or one of a room that is well, is not", () => {
  const stamp = stamps.issue({ room: "b", arrivedMs: world.clock.now(), requests: [] });
  const arrivals = [`usher-b.arrival=${stamp}`, "usher-c.arrival=forged"];
  const others = many(20, waste);
  expect(visit([...arrivals, ...others], { isAway: true }).cleared).not.toContain("usher-b.arrival");
  expect(visit([...arrivals, ...others], { isAway: true }).cleared).toContain("usher-c.arrival");
  expect(visit([...arrivals, ...others]).cleared).toContain("usher-b.arrival");
});

test("a cookie that is added counts with its length, in place of the one that it replaces; where places leave no space, they are named", () => {
  const ids = many(8, (index) => `p${index}`);
  const places = ids.map((id) => `usher-${id}=${place}`);
  const added = (length: number) => ({ name: "usher-visited.identity", length });
  expect(visit(places, { added: added(1_500) })).toEqual({ places: null, cleared: [] });
  expect(visit(places, { added: added(3_400) }).places).toEqual(ids);
  const earlier = `usher-visited.identity=${"x".repeat(2_000)}`;
  expect(visit([...places, earlier], { added: added(2_000) })).toEqual({ places: null, cleared: [] });
  const attempts = many(3, (index) => `usher-visited.sign-in.attempt${index}=${"x".repeat(900)}`);
  const begun = visit([...places, ...attempts], { added: { name: "usher-visited.sign-in.attempt9", length: 1_000 } });
  expect([begun.places, begun.cleared[0]]).toEqual([null, "usher-visited.sign-in.attempt0"]);
});

test("with twenty places there is space for no other, and none of them goes", () => {
  const ids = many(20, (index) => `p${index}`);
  const short = ids.map((id) => `usher-${id}=${place}`);
  const { places, cleared } = visit([...short, ...many(3, waste)]);
  expect(places).toEqual(ids);
  expect(cleared).toEqual(["usher-gone-0", "usher-gone-1", "usher-gone-2"]);
});

test("a copy beside its ticket goes before a place is refused, and the last copy never", () => {
  const ids = many(10, (index) => `p${index}`);
  const pairs = ids.flatMap((id) => [`usher-${id}.place.1-1=${place}`, `usher-${id}=${place}`]);
  const { places, cleared } = visit([`usher-alone.place.1-1=${place}`, ...pairs]);
  expect(places).toBeNull();
  expect(cleared.length).toBeGreaterThan(0);
  expect(cleared).toEqual(cleared.map((_, index) => `usher-p${index}.place.1-1`));
});
