/**
 * Goal: at one pace, what the console says of the end of a line does not swing. Method: a real room on the memory store, with a rush at the doors and
 * newcomers by chance after it; a forecast every ten seconds, as the console gets them.
 */
import { expect, test } from "vitest";
import type { Forecast } from "../../../../src/room/statistics/forecast.ts";
import { manualSettings } from "../../../support/room-settings.ts";
import { createSeededRandom } from "../../../support/seeded-random.ts";
import { createSharedWorld, joinMany, joinOne } from "../processes.ts";

const limit = 60;
const rush = 500;
const stepSec = 10;

/** What is shown of an end. */
const shapeOf = (ends: Forecast["lineEnds"]) =>
  ends === null ? "unknown" : ends.low === null ? "never" : ends.high === null ? "after" : "range";

async function play(arrivalsPerMinute: number, untilSec: number) {
  const world = createSharedWorld(`steady ${arrivalsPerMinute}`);
  const { fraction: chance } = createSeededRandom(`${arrivalsPerMinute} a minute`);
  const settings = {
    ...manualSettings,
    inlet: { ...manualSettings.inlet, type: "periodic" as const, outflowPerMinute: limit },
  };
  const one = world.process("one", { isNewInstallation: true, settings });
  await one.refresh();
  const inLine = await joinMany(one, rush, world.clock.now());
  const forecasts: { sec: number; ends: Forecast["lineEnds"] }[] = [];
  for (let sec = 1; sec <= untilSec; sec++) {
    world.clock.advance(1_000);
    for (let left = arrivalsPerMinute / 60 + chance(); left >= 1; left--)
      inLine.push(await joinOne(one, world.clock.now()));
    await one.refresh();
    const { room } = one;
    for (let at = 0; at < inLine.length; at++) {
      const ticket = inLine[at];
      if (ticket === undefined || ticket.position > (room.state?.serving ?? 0)) break;
      const claim = await room.claim(ticket, null);
      if (claim.result !== "held") inLine.splice(at--, 1);
      else if (claim.rank > 5) break;
    }
    if (sec % stepSec === 0) forecasts.push({ sec, ends: (await room.forecast(null))?.lineEnds ?? null });
  }
  return forecasts;
}

test("the end of a line is unknown for two minutes, and then a range that moves slowly", async () => {
  const forecasts = await play(24, 400);
  const shapes = forecasts.map(({ ends }) => shapeOf(ends));
  const isKnownFrom = shapes.indexOf("range");
  expect(shapes.slice(0, isKnownFrom).every((shape) => shape === "unknown")).toBe(true);
  expect(forecasts[isKnownFrom]?.sec).toBeLessThanOrEqual(150);
  expect(forecasts[isKnownFrom]?.sec).toBeGreaterThanOrEqual(120);
  const known = forecasts.slice(isKnownFrom);
  expect(new Set(known.map(({ ends }) => shapeOf(ends)))).toEqual(new Set(["range"]));
  // 500 wait, 60 enter and 24 join a minute: it ends after 833 s.
  for (const [index, { sec, ends }] of known.entries()) {
    expect(ends?.low, `after ${sec} s`).toBeLessThanOrEqual(900 - sec);
    expect(ends?.high, `after ${sec} s`).toBeGreaterThanOrEqual(780 - sec);
    const before = known[Math.max(0, index - 9)];
    const moved = Math.abs(sec + (ends?.high ?? 0) - (before?.sec ?? 0) - (before?.ends?.high ?? 0));
    expect(moved, `within 90 s, after ${sec} s`).toBeLessThanOrEqual(420);
  }
}, 60_000);

test("where as many join as enter, the end is said in one way all the time", async () => {
  const shapes = (await play(66, 300)).map(({ ends }) => shapeOf(ends)).filter((shape) => shape !== "unknown");
  const changes = shapes.filter((shape, index) => index > 0 && shape !== shapes[index - 1]);
  expect(changes.length).toBeLessThanOrEqual(1);
}, 60_000);
