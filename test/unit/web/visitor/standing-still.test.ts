/**
 * Nothing that is said of a room outside of its pages contradicts that its line stands still: the place as JSON, the public status, and
 * the console's figures. What the pages say: test/browser/banners.test.ts.
 */
import { expect, test } from "vitest";
import { liveRoomJson } from "../../../../src/operate/admin-api/events/live-figures.ts";
import { speechFor } from "../../../../src/operate/console/frame/speech.ts";
import { endInWords } from "../../../../src/operate/console/rooms/outlook.ts";
import { texts as roomsTexts } from "../../../../src/operate/console/rooms/texts.ts";
import { reportedPlace } from "../../../../src/room/index.ts";
import { isServed } from "../../../../src/room/public-status/pacing.ts";
import { placeStatusJson } from "../../../../src/web/visitor/place-status-json.ts";
import { recoveryEndsAt } from "../../../../src/web/visitor/status.ts";
import { manualSettings } from "../../../support/room-settings.ts";
import { createSharedWorld, joinMany } from "../../room/processes.ts";
import { conditions, inlet, roomThatIs } from "./still-conditions.ts";

const speech = speechFor(["en"]);

test.each(Object.entries(conditions))("a room that is %s", async (name, condition) => {
  const { line } = condition;
  const { world, room, tickets } = await roomThatIs(name, condition);
  const ticket = tickets.at(-1) as (typeof tickets)[number];
  const nowMs = world.clock.now();
  const place = placeStatusJson(reportedPlace(room, ticket));
  const { reportedState: state } = room;
  if (state === null) throw new Error("nothing is known");

  // Until when nobody enters is to come, and no longer than a recovery and its hold.
  const held = recoveryEndsAt(room);
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
