/** Rooms that come and go while processes run: each line is by itself, whatever a process that has not yet heard does. */
import { expect, test } from "vitest";
import { StoreUnavailableError } from "../../../src/lib/errors.ts";
import {
  createCheckpoints,
  createKeyRing,
  createTicketCodec,
  createWaitingRooms,
  type OpenRooms,
  type RoomOptions,
  type WaitingRoom,
} from "../../../src/room/index.ts";
import type { RoomStore } from "../../../src/store/contract/room-store.ts";
import { createMemoryData } from "../../../src/store/memory/data.ts";
import { createMemoryStore } from "../../../src/store/memory/index.ts";
import { createMovedClock } from "../../support/moved-clock.ts";
import { manualSettings } from "../../support/room-settings.ts";
import { createSeededRandom } from "../../support/seeded-random.ts";
import { tempDirOfTest } from "../../support/temp-dir-of-test.ts";

const filed: RoomOptions = { id: "filed", settings: manualSettings };
const madeAs = (line: string, more: Partial<RoomOptions> = {}): RoomOptions => ({
  id: "made",
  line,
  settings: manualSettings,
  ...more,
});

function createWorld(seed: string) {
  const clock = createMovedClock();
  const random = createSeededRandom(seed);
  const data = createMemoryData("run");
  const ring = createKeyRing([{ kid: "key", secret: Buffer.alloc(32, 7) }]);
  const away = { is: false };
  const asked = { answered: (_name: string) => {} };
  const store = createMemoryStore({ clock, random, data, isShared: true }).rooms;
  const cut = new Proxy(store, {
    get: (target, name: keyof RoomStore) =>
      away.is
        ? () => Promise.reject(new StoreUnavailableError(new Error("away")))
        : async (...args: unknown[]) => {
            const answer = await (target[name] as (...args: unknown[]) => unknown)(...args);
            asked.answered(name);
            return answer;
          },
  });
  const open = (processName: string): OpenRooms =>
    createWaitingRooms({
      store: cut,
      rooms: [filed],
      tickets: ({ line }) => createTicketCodec(ring, line),
      checkpoints: createCheckpoints({
        directory: tempDirOfTest("lines"),
        processName,
        isNewInstallation: true,
        onFailure: (error) => {
          throw error;
        },
      }),
      clock,
      random,
    });
  const pass = async (ms: number, processes: readonly OpenRooms[]) => {
    for (let passed = 0; passed < ms; passed += 500) {
      clock.advance(500);
      for (const each of processes) await each.refresh();
    }
  };
  const joinAt = async (rooms: OpenRooms) => {
    const answer = await rooms.get("made")?.join(null, clock.now());
    if (answer?.result !== "joined") throw new Error(String(answer?.result));
    return answer.ticket;
  };
  const names = () => [...data.rooms.keys()].sort();
  return { clock, away, asked, data, open, pass, joinAt, names };
}

test("a room that is made while processes run opens as a new one, and each line has its own places and tickets", async () => {
  const { open, pass, joinAt, names } = createWorld("lines");
  const [one, two] = [open("one"), open("two")];
  const both = [one, two];
  await pass(4_000, both);
  for (const each of both) each.follow([filed, madeAs("aaaaaaaa")]);
  expect(one.all.map(({ id }) => id)).toEqual(["filed", "made"]);
  await pass(4_000, both);
  expect(one.get("made")?.state).toMatchObject({ phase: "open", queued: 0 });
  const before = await joinAt(one);
  const token = one.get("made")?.encode(before);
  expect([before.position, (await joinAt(two)).position]).toEqual([1, 2]);

  // Removed and made anew at one; the other has not heard, and goes on as before: it even brings the old line back.
  one.follow([filed]);
  await one.refresh();
  expect(names()).toEqual(["filed"]);
  one.follow([filed, madeAs("bbbbbbbb")]);
  await pass(4_000, both);
  expect(names()).toEqual(["filed", "made~aaaaaaaa", "made~bbbbbbbb"]);
  const late = await joinAt(two);
  const anew = await joinAt(one);
  expect([anew.position, one.get("made")?.state?.queued]).toEqual([1, 0]);
  expect(late.position).toBeGreaterThan(2);
  expect(one.get("made")?.read(token)).toEqual({ kind: "none" });
  expect(two.get("made")?.read(one.get("made")?.encode(anew))).toEqual({ kind: "none" });

  two.follow([filed, madeAs("bbbbbbbb")]);
  await pass(2_000, both);
  expect(names()).toEqual(["filed", "made~bbbbbbbb"]);
  expect((await joinAt(two)).position).toBe(2);
  expect(two.get("made")?.read(one.get("made")?.encode(anew)).kind).toBe("ticket");
});

test("a request under way when the room goes reaches no store any more; a store that is away is freed later", async () => {
  const { away, open, pass, joinAt, names, clock } = createWorld("gone");
  const one = open("one");
  await pass(4_000, [one]);
  one.follow([filed, madeAs("aaaaaaaa")]);
  await pass(4_000, [one]);
  await joinAt(one);
  const room = one.get("made");
  const failures: unknown[] = [];
  one.events.on("room.failed", (failure) => failures.push(failure));
  away.is = true;
  one.follow([filed]);
  expect(one.get("made")).toBeUndefined();
  expect(one.ofVisitor(room?.visitorWithoutPlace().sub ?? "")).toBeUndefined();
  await pass(2_000, [one]);
  away.is = false;
  expect(names()).toEqual(["filed", "made~aaaaaaaa"]);
  await pass(1_000, [one]);
  expect(names()).toEqual(["filed"]);
  await expect(room?.join(null, clock.now())).rejects.toMatchObject({ code: "unknown_room", status: 404 });
  await expect(room?.refresh()).rejects.toMatchObject({ code: "unknown_room" });
  expect([names(), failures]).toEqual([["filed"], []]);
});

test("the same line goes on when the room's own language is another", async () => {
  const { open, pass } = createWorld("language");
  const one = open("one");
  await pass(4_000, [one]);
  const texts = [
    { language: "de", text: "Gleich" },
    { language: "fr", text: "Bientôt" },
  ];
  const settings = { ...manualSettings, message: { severity: "warning" as const, texts } };
  one.follow([filed, madeAs("aaaaaaaa", { settings, language: "de" })]);
  await pass(4_000, [one]);
  const room = one.get("made");
  expect(room?.message?.texts[0]?.language).toBe("de");
  one.follow([filed, madeAs("aaaaaaaa", { settings, language: "fr" })]);
  expect(one.get("made")).toBe(room);
  expect(room?.message?.texts[0]?.language).toBe("fr");
});

test.each([
  { last: "readLog", of: ["readLog"], start: (room: WaitingRoom) => room.log.keep() },
  { last: "contribute", of: ["tick", "contribute"], start: (room: WaitingRoom) => room.refresh() },
])("of what is under way when its room is removed, $last is the last that the store is asked", async (each) => {
  const { asked, data, open, pass, joinAt } = createWorld("under way");
  const rooms = open("one");
  rooms.follow([filed, madeAs("aaaaaaaa", { settings: { ...manualSettings, logRowsMax: 100 } })]);
  await pass(4_000, [rooms]);
  await joinAt(rooms);
  const room = rooms.get("made");
  if (room === undefined) throw new Error("no room");
  if (each.last === "contribute") data.rooms.clear();
  const answered: string[] = [];
  asked.answered = (name) => {
    answered.push(name);
    if (name === each.last) rooms.follow([filed]);
  };
  await expect(each.start(room)).rejects.toMatchObject({ code: "unknown_room" });
  expect(answered).toEqual(each.of);
});
