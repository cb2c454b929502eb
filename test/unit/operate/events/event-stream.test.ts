import { EventEmitter } from "node:events";
import type { Readable } from "node:stream";
import { beforeEach, describe, expect, it } from "vitest";
import { systemRandom } from "../../../../src/lib/clock-and-random.ts";
import { createLogger } from "../../../../src/lib/logger.ts";
import {
  createEventHub,
  createEventStreams,
  type EventHub,
  type EventStreams,
  Positions,
} from "../../../../src/operate/events/index.ts";
import type { WaitingRooms } from "../../../../src/room/index.ts";
import { createMemoryStore } from "../../../../src/store/memory/index.ts";
import { settings } from "../../../contract/room-driver.ts";
import { createMovedClock } from "../../../support/moved-clock.ts";

/** One process and its rooms, of which the test makes each tick. */
function createProcess() {
  const clock = createMovedClock();
  const store = createMemoryStore({ clock, random: systemRandom });
  const events = new EventEmitter();
  const lasts = new Map<string, number>();
  const incarnations = new Map<string, string>();
  const eventsThrough = { value: 0 };
  const rooms = {
    events,
    get all() {
      return [...incarnations.keys()].map((id) => ({
        id,
        name: id,
        state: { nowMs: clock.now() },
        eventsThrough: eventsThrough.value,
      }));
    },
  } as unknown as WaitingRooms;
  const hub = createEventHub({
    store: store.events,
    rooms,
    issuerOf: () => "https://queue.example",
    firstIssuer: "https://queue.example",
    sources: [],
    logger: createLogger("silent"),
  });
  const streams = createEventStreams({ hub, store: store.events, nowMs: () => clock.now() });

  return {
    clock,
    hub,
    streams,
    async open(room: string) {
      const { incarnation } = await store.rooms.contribute({
        room,
        fileSettings: settings(),
        memory: null,
        isNewRoom: true,
      });
      incarnations.set(room, incarnation);
      await this.hear(room);
    },
    async step(room: string, step: "pause" | "resume") {
      clock.advance(10);
      await store.rooms.adminStep(room, incarnations.get(room) ?? null, { step }, null);
    },
    /** As a tick does. */
    async hear(room: string) {
      const { events: told } = await store.events.read(room, lasts.get(room) ?? 0, 1_000);
      lasts.set(room, told.at(-1)?.seq ?? lasts.get(room) ?? 0);
      if (told.length > 0) events.emit("events.published", { room, line: room, events: told });
    },
    eventsThrough,
  };
}

const all = { reader: "key one", isOf: () => true, isFor: () => true, types: null, mayRead: () => true };

/** What a reader has been sent, and the last id. */
function read(stream: Readable | null) {
  let text = "";
  stream?.on("data", (chunk) => {
    text += String(chunk);
  });
  return {
    get events() {
      return Array.from(text.matchAll(/^data: (.*)$/gm), ([, json = ""]) => JSON.parse(json));
    },
    get types() {
      return this.events.map(({ type, data }) => `${data.room} ${type.replace("usher.room.", "")}`);
    },
    get id() {
      return [...text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1] ?? "";
    },
    get text() {
      return text;
    },
  };
}
const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

describe("an event stream", () => {
  let one: ReturnType<typeof createProcess>;
  let hub: EventHub;
  let streams: EventStreams;
  beforeEach(async () => {
    one = createProcess();
    ({ hub, streams } = one);
    for (const room of ["shop", "bar"]) await one.open(room);
    one.clock.advance(1_000);
  });

  it("has what happens from now on, as CloudEvents", async () => {
    const reader = read(streams.open(all, null));
    await one.step("shop", "pause");
    await one.hear("shop");
    await settled();
    expect(reader.types).toEqual(["shop hold_began", "shop phase_changed"]);
    expect(reader.events[1]).toEqual({
      specversion: "1.0",
      id: expect.stringMatching(/^shop\.\d+$/),
      source: "https://queue.example",
      type: "usher.room.phase_changed",
      subject: "rooms/shop",
      time: new Date(one.clock.now()).toISOString(),
      datacontenttype: "application/json",
      data: {
        room: "shop",
        edition: expect.any(Number),
        phase: "paused",
        reason: "operator",
        before: { phase: "open", reason: null },
      },
    });
    expect(reader.text).toContain("event: usher.room.hold_began\n");
  });

  it("counts as open no more when it ends, though nobody reads it", async () => {
    let mayRead = true;
    const unread = streams.open({ ...all, mayRead: () => mayRead }, null);
    // As a connection that takes no more does.
    const held = streams.open({ ...all, mayRead: () => mayRead }, null);
    const before = read(held);
    await settled();
    expect(before.text).not.toBe("");
    held?.pause();
    const other = streams.open(all, null);
    mayRead = false;
    await one.step("shop", "pause");
    await one.hear("shop");
    await settled();
    expect([unread?.destroyed, held?.destroyed, other?.destroyed, streams.count]).toEqual([true, true, false, 1]);
    streams.close();
    await settled();
    expect(streams.count).toBe(0);
  });

  it("has all events of a burst, also where this process has read beyond them", async () => {
    const reader = read(streams.open(all, null));
    await one.step("shop", "pause");
    await one.step("shop", "resume");
    hub.start();
    await settled();
    one.eventsThrough.value = Number.MAX_SAFE_INTEGER;
    one.clock.advance(10_000);
    await one.hear("shop");
    await settled();
    await hub.stop();
    expect(reader.types.filter((type) => type.endsWith("phase_changed"))).toHaveLength(2);
    expect(reader.types).toHaveLength(4);
  });

  it("goes on where its reader left off, in every line, and repeats nothing", async () => {
    const first = read(streams.open(all, null));
    await one.step("shop", "pause");
    await one.hear("shop");
    await settled();
    const { id } = first;
    streams.close();
    await one.step("shop", "resume");
    await one.step("bar", "pause");
    await one.hear("shop");
    const second = read(streams.open(all, Positions.read(id)));
    await settled();
    // What this process has not heard of yet is in the store.
    expect(second.types.toSorted()).toEqual([
      "bar hold_began",
      "bar phase_changed",
      "shop hold_ended",
      "shop phase_changed",
    ]);
    await one.hear("bar");
    await one.step("bar", "resume");
    await one.hear("bar");
    await settled();
    expect(second.events).toHaveLength(6);
    expect(new Set(second.events.map((event) => event.id)).size).toBe(6);
  });

  it("loses nothing that happens while it reads what it has missed", async () => {
    const { id } = read(streams.open(all, new Positions(0)));
    expect(id).toBe("");
    for (let turn = 0; turn < 150; turn++) await one.step("shop", turn % 2 === 0 ? "pause" : "resume");
    const reader = read(streams.open(all, new Positions(1)));
    await one.step("shop", "pause");
    await one.hear("shop");
    await expect.poll(() => reader.events.length).toBeGreaterThanOrEqual(2 + 2 * 151);
    await settled();
    const ids = reader.events.filter(({ subject }) => subject === "rooms/shop").map((event) => event.id);
    expect(ids).toHaveLength(1 + 2 * 151);
    expect(new Set(ids).size).toBe(ids.length);
    const numbers = ids.map((text: string) => Number(text.split(".")[1]));
    expect(numbers).toEqual(numbers.toSorted((a: number, b: number) => a - b));
  });

  it("goes on in two hundred rooms that all had news: some is repeated, nothing is lost, and each room is in order", async () => {
    const names = Array.from({ length: 200 }, (_, index) => `room-${index}`);
    for (const room of names) await one.open(room);
    one.clock.advance(1_000);
    const first = read(streams.open(all, null));
    for (const room of names) await one.step(room, "pause");
    for (const [index, room] of names.entries()) {
      await one.hear(room);
      if (index % 20 === 19) await settled();
    }
    expect(first.events).toHaveLength(2 * names.length);
    const { id } = first;
    expect(id.length).toBeLessThanOrEqual(1_024);
    streams.close();
    for (const room of names) await one.step(room, "resume");
    const newest = new Set(
      id
        .split(";")
        .map((part) => part.split("=")[0] ?? "")
        .filter((name) => names.includes(name)),
    );
    const second = read(streams.open(all, Positions.read(id)));
    const again = ["hold_began", "phase_changed"];
    await expect.poll(() => second.events.length).toBe(2 * names.length + 2 * (names.length - newest.size));
    await settled();
    const fresh = ["hold_ended", "phase_changed"];
    const byRoom = new Map<string, string[]>(names.map((room) => [room, []]));
    for (const told of second.types) {
      const [room = "", type = ""] = told.split(" ");
      byRoom.get(room)?.push(type);
    }
    for (const [room, types] of byRoom) {
      expect(types, room).toEqual(newest.has(room) ? fresh : [...again, ...fresh]);
    }
  }, 20_000);

  it("ends in the midst of what was missed, when the process stops", async () => {
    for (let turn = 0; turn < 500; turn++) await one.step("shop", turn % 2 === 0 ? "pause" : "resume");
    const stream = streams.open(all, new Positions(1));
    const reader = read(stream);
    await new Promise((resolve) => stream?.once("data", resolve));
    await expect.poll(() => reader.events.length, { interval: 1 }).toBeGreaterThan(0);
    const ended = new Promise((resolve, reject) => stream?.once("end", () => resolve("whole")).once("error", reject));
    streams.close();
    await expect(ended).resolves.toBe("whole");
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(reader.events.length).toBeLessThan(1_000);
  });

  it("has only what its reader wants and may see", async () => {
    const reader = read(
      streams.open(
        {
          reader: "key bar",
          isOf: ({ room }) => room === "bar",
          isFor: () => true,
          types: ["usher.room.hold_*"],
          mayRead: () => true,
        },
        null,
      ),
    );
    for (const room of ["shop", "bar"]) {
      await one.step(room, "pause");
      await one.hear(room);
    }
    await settled();
    expect(reader.types).toEqual(["bar hold_began"]);
  });

  it("is one of at most a hundred, and ends when the process stops", async () => {
    const opened = Array.from({ length: 100 }, (_, index) =>
      streams.open({ ...all, reader: `key ${index % 5}` }, null),
    );
    expect(opened).not.toContain(null);
    expect(streams.open(all, null)).toBeNull();
    const ended = Promise.all(opened.map((each) => new Promise((resolve) => each?.resume().once("end", resolve))));
    await settled();
    streams.close();
    await ended;
    await settled();
    expect(streams.count).toBe(0);
    expect(streams.open(all, null)).not.toBeNull();
  });

  it("is one of at most twenty of its reader, who takes none from others", () => {
    const opened = Array.from({ length: 20 }, () => streams.open(all, null));
    expect(opened).not.toContain(null);
    expect(streams.open(all, null)).toBeNull();
    expect(streams.open({ ...all, reader: "key two" }, null)).not.toBeNull();
    streams.close();
  });

  it("leaves a reader that does not read", async () => {
    const stream = streams.open(all, null);
    stream?.pause();
    const closed = new Promise((resolve) => stream?.once("close", resolve));
    for (let turn = 0; turn < 3_000 && !stream?.destroyed; turn++) {
      await one.step("shop", turn % 2 === 0 ? "pause" : "resume");
      await one.hear("shop");
    }
    await closed;
    expect(streams.count).toBe(0);
  });

  it("has what is of the installation, told by whichever process", async () => {
    hub.start();
    await settled();
    const reader = read(streams.open(all, null));
    hub.tell({
      atMs: one.clock.now(),
      source: "https://queue.example",
      type: "usher.process.ready",
      subject: "processes/a-3000",
      data: { process: "a-3000" },
    });
    await expect.poll(() => reader.events.length).toBe(1);
    expect(reader.events[0]).toMatchObject({ type: "usher.process.ready", subject: "processes/a-3000" });
    await hub.stop();
  });
});
