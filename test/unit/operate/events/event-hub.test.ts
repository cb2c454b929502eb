import { EventEmitter } from "node:events";
import { expect, it } from "vitest";
import { createRoom } from "../../../../src/core/room.ts";
import { systemClock, systemRandom } from "../../../../src/lib/clock-and-random.ts";
import { createLogger } from "../../../../src/lib/logger.ts";
import { createEventHub } from "../../../../src/operate/events/index.ts";
import type { WaitingRooms } from "../../../../src/room/index.ts";
import { createMemoryData } from "../../../../src/store/memory/data.ts";
import { createMemoryStore } from "../../../../src/store/memory/index.ts";

it("tells what waits once, in order and by one call, where more comes than may wait while the first is under way", async () => {
  const store = createMemoryStore({ clock: systemClock, random: systemRandom }).events;
  let letOn = () => {};
  const isHeld = new Promise<void>((resolve) => {
    letOn = resolve;
  });
  const calls: number[] = [];
  let noteTell = () => {};
  const isUnderWay = new Promise<void>((resolve) => {
    noteTell = resolve;
  });
  const hub = createEventHub({
    store: {
      installation: store.installation,
      read: store.read.bind(store),
      async publish(events: Parameters<typeof store.publish>[0]) {
        calls.push(events.events.length);
        noteTell();
        await isHeld;
        return store.publish(events);
      },
    } as unknown as typeof store,
    rooms: { events: new EventEmitter(), all: [] } as unknown as WaitingRooms,
    issuerOf: () => "https://queue.example",
    firstIssuer: "https://queue.example",
    sources: [],
    logger: createLogger("silent"),
  });
  const tell = (n: number) =>
    hub.tell({
      atMs: 1,
      source: "https://queue.example",
      type: "usher.process.ready",
      subject: `processes/${n}`,
      data: {},
    });
  tell(0);
  hub.start();
  await isUnderWay;
  // Number 0 is under way; 1 to 20 are forgotten.
  for (let n = 1; n <= 120; n++) tell(n);
  letOn();
  await hub.stop();
  const { events } = await store.read(store.installation, 0, 1_000);
  const subjects = events.map((event) => /processes\/(\d+)/.exec(JSON.stringify(event))?.[1]);
  expect(subjects).toEqual(["0", ...Array.from({ length: 100 }, (_, index) => String(21 + index))]);
  expect(calls).toEqual([1, 100]);
});

it("brings the installation's events back to a store that was emptied, each once, whichever processes remember them", async () => {
  const data = createMemoryData("run");
  const store = createMemoryStore({ clock: systemClock, random: systemRandom, data }).events;
  const registry = {
    name: "registry of https://queue.example",
    version: 0,
    isCut: false,
    events: [] as (ReturnType<typeof happening> & { version: number })[],
  };
  const happening = (n: number) => ({
    atMs: n,
    source: "https://queue.example",
    type: "usher.client.created",
    data: {},
    subject: `clients/${n}`,
    id: `change ${n}`,
  });
  const change = (n: number) => {
    registry.events.push({ ...happening(n), version: n });
    registry.version = n;
  };
  const hubs = Array.from({ length: 3 }, () =>
    createEventHub({
      store,
      rooms: { events: new EventEmitter(), all: [] } as unknown as WaitingRooms,
      issuerOf: () => "https://queue.example",
      firstIssuer: "https://queue.example",
      sources: [registry],
      logger: createLogger("silent"),
    }),
  );
  const seen = hubs.map(() => [] as string[]);
  const subjects = async () => {
    const { events } = await store.read(store.installation, 0, 1_000);
    return events.map((event) => /clients\/\d+/.exec(JSON.stringify(event))?.[0]);
  };
  for (const [index, hub] of hubs.entries()) {
    hub.subscribe(({ line, events }) => {
      for (const event of events) seen[index]?.push(hub.asCloudEvent(line, event).id);
    });
    hub.start();
  }
  const named = (numbers: readonly number[]) => numbers.map((n) => `clients/${n}`);
  try {
    await expect.poll(() => hubs.map(({ lastOf }) => lastOf(store.installation))).toEqual([0, 0, 0]);
    for (let n = 1; n <= 5; n++) change(n);
    await expect.poll(() => seen.map(({ length }) => length)).toEqual([5, 5, 5]);

    data.installation = createRoom();
    // What is told before anybody has looked comes behind what was there.
    change(6);
    await expect.poll(async () => (await subjects()).length).toBe(6);
    await expect.poll(() => seen.map((ids) => ids.at(-1))).toEqual(Array(3).fill("change 6"));
    expect(await subjects()).toEqual(named([1, 2, 3, 4, 5, 6]));
    // Nobody heard of one twice.
    for (const ids of seen) expect(new Set(ids).size).toBe(ids.length);

    // The one process that is left is enough.
    await Promise.all(hubs.slice(1).map((hub) => hub.stop()));
    data.installation = createRoom();
    await expect.poll(async () => (await subjects()).length).toBe(6);
  } finally {
    await Promise.all(hubs.map((hub) => hub.stop()));
  }
  expect(new Set(await subjects()).size).toBe(6);
});
