import { EventEmitter } from "node:events";
import { expect, it } from "vitest";
import { createEventHub } from "../../../src/events/index.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { createLogger } from "../../../src/lib/logger.ts";
import { systemRandom } from "../../../src/lib/random.ts";
import type { WaitingRooms } from "../../../src/room/index.ts";
import { createMemoryStore } from "../../../src/store/memory/index.ts";

it("tells what waits once, in order, where more comes than may wait while the first is under way", async () => {
  const store = createMemoryStore({ clock: systemClock, random: systemRandom }).events;
  let letOn = () => {};
  const isHeld = new Promise<void>((resolve) => {
    letOn = resolve;
  });
  const hub = createEventHub({
    store: {
      installation: store.installation,
      read: store.read.bind(store),
      async tell(events: Parameters<typeof store.tell>[0]) {
        await isHeld;
        return store.tell(events);
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
  await new Promise((resolve) => setTimeout(resolve, 20));
  // Number 0 is under way; 1 to 20 are forgotten.
  for (let n = 1; n <= 120; n++) tell(n);
  letOn();
  await hub.stop();
  const { events } = await store.read(store.installation, 0, 1_000);
  const subjects = events.map((event) => /processes\/(\d+)/.exec(JSON.stringify(event))?.[1]);
  expect(subjects).toEqual(["0", ...Array.from({ length: 100 }, (_, index) => String(21 + index))]);
});
