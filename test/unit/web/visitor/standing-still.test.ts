/**
 * Nothing that is said of a room outside of its pages contradicts that its line stands still: the place as JSON, the public status, the
 * status page, and the console's figures. What the pages say: test/browser/banners.test.ts.
 */
import { expect, test } from "vitest";
import { liveRoomJson } from "../../../../src/operate/admin-api/events/live-figures.ts";
import { speechFor } from "../../../../src/operate/console/frame/speech.ts";
import { endInWords } from "../../../../src/operate/console/rooms/outlook.ts";
import { texts as roomsTexts } from "../../../../src/operate/console/rooms/texts.ts";
import { reportedPlace } from "../../../../src/room/index.ts";
import { isServed } from "../../../../src/room/public-status/pacing.ts";
import type { Availability } from "../../../../src/room/replica/interruptions.ts";
import type { Phase } from "../../../../src/store/contract/room-settings.ts";
import { placeStatusJson } from "../../../../src/web/visitor/place-status-json.ts";
import { heldUntil } from "../../../../src/web/visitor/status.ts";
import { statusFacts } from "../../../../src/web/visitor/status-page/facts.ts";
import { manualSettings } from "../../../support/room-settings.ts";
import { createSharedWorld, joinMany, type Process, type SharedWorld } from "../../room/processes.ts";

interface Condition {
  bring(world: SharedWorld, process: Process): Promise<unknown>;
  readonly line: "moves" | "still" | "held" | "everybody";
}

const step =
  (asked: Parameters<Process["room"]["operations"]["step"]>[0]) =>
  async (_: SharedWorld, { room, refresh }: Process) => {
    await room.operations.step(asked, null, "test");
    await refresh();
  };

/** Each phase and each availability has a row: the type says so. */
const conditions: Readonly<Record<Phase | Exclude<Availability, "ready"> | "held", Condition>> = {
  open: { bring: async () => {}, line: "moves" },
  idle: { bring: step({ step: "phase", phase: "idle" }), line: "still" },
  prequeue: { bring: step({ step: "phase", phase: "prequeue" }), line: "still" },
  paused: { bring: step({ step: "pause" }), line: "still" },
  ended: { bring: step({ step: "phase", phase: "ended" }), line: "still" },
  passthrough: { bring: step({ step: "phase", phase: "passthrough" }), line: "everybody" },
  away: {
    async bring(world, { refresh }) {
      world.setAway(true);
      await refresh();
    },
    line: "still",
  },
  recovering: {
    async bring(world, { refresh }) {
      // The last that was heard is old by then.
      world.setAway(true);
      await refresh();
      world.clock.advance(120_000);
      world.setAway(false);
      world.wipe();
      await refresh();
    },
    line: "held",
  },
  held: {
    async bring(world, process) {
      world.wipe();
      await world.pass(5_000, [process]);
    },
    line: "held",
  },
};

const inlet = { ...manualSettings.inlet, type: "periodic" as const, outflowPerMinute: 60 };
const speech = speechFor(["en"]);

test.each(Object.entries(conditions))("a room that is %s", async (name, { bring, line }) => {
  const world = createSharedWorld(`standing still: ${name}`);
  const process = world.process("one", { isNewInstallation: true, settings: { ...manualSettings, inlet } });
  const { room } = process;
  await process.refresh();
  const tickets = await joinMany(process, 60, world.clock.now());
  await process.refresh();
  const ticket = tickets.at(-1) as (typeof tickets)[number];
  await bring(world, process);
  const nowMs = world.clock.now();
  const place = placeStatusJson(reportedPlace(room, ticket));
  const { reportedState: state } = room;
  if (state === null) throw new Error("nothing is known");

  // Until when nobody enters is to come, and no longer than a recovery and its hold.
  const held = heldUntil(room);
  const heldSec = held === null ? 0 : (Date.parse(held) - nowMs) / 1_000;
  if (line === "held") {
    expect(heldSec).toBeGreaterThan(50);
    expect(heldSec).toBeLessThanOrEqual(62.5);
  } else expect(held).toBeNull();

  // The estimate is none, or not before anybody enters.
  const wait = place.estimated_wait_seconds;
  if (line === "moves") expect(wait).toMatchObject({ low: expect.any(Number) });
  else if (line === "held") expect(wait?.low).toBeGreaterThanOrEqual(heldSec - 5);
  else expect(wait).toBeNull();
  const next = placeStatusJson(reportedPlace(room, tickets[0] as (typeof tickets)[number]));
  if (line === "held" && next.estimated_wait_seconds) {
    expect(next.estimated_wait_seconds.low).toBeGreaterThanOrEqual(Math.floor(heldSec / 60) * 60);
  }

  // By the public status nobody takes it to be their turn.
  const { phase } = state;
  const isTurn = isServed({ phase, serving: 60, held_until: held }, 60, false);
  expect(isTurn && room.availability === "ready").toBe(line === "moves" || line === "everybody");

  const { shown, json } = statusFacts(
    { rooms: { all: [room] }, incidents: { all: [] }, status: { enabled: true, rooms: null } },
    Math.floor(nowMs),
  );
  const condition = shown.rooms[0]?.condition;
  if (line === "held" || name === "away") expect([condition, json.rooms[0]?.moving]).toEqual(["interrupted", null]);
  else if (line === "moves") expect(["moving", "still"]).toContain(condition);
  else expect([condition, json.rooms[0]?.moving]).toEqual([name, null]);

  // The forecast is from before.
  const before = (sec: number) => new Date(nowMs + sec * 1_000).toISOString();
  const { figures } = liveRoomJson(room, nowMs, { ends: { low: before(20), high: before(90) }, approvals: [] });
  const words = figures && endInWords(figures, speech, nowMs);
  if (line === "moves") expect(words).toMatch(/\d/);
  else expect(words).toBe(speech.text(name === "passthrough" ? roomsTexts.ends.nobody : roomsTexts.ends.unknown));
});

test("in a hold the wait of the last is longer than the hold, by the forecast of operators", async () => {
  const world = createSharedWorld("standing still: forecast");
  const process = world.process("one", { isNewInstallation: true, settings: { ...manualSettings, inlet } });
  await process.refresh();
  await joinMany(process, 300, world.clock.now());
  await conditions.held.bring(world, process);
  const { room } = process;
  const told = await room.forecast(null);
  const leftSec = room.holdLeftMs / 1_000;
  expect(leftSec).toBeGreaterThan(50);
  expect(told?.waitOfLast?.low).toBeGreaterThanOrEqual(leftSec - 5);
});
