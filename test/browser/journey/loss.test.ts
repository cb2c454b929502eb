/**
 * Goal: a page that is open while everything is lost brings its place back by itself, also where nobody else knows of it.
 * Method: a real gateway is killed, its store is gone with it, and its checkpoints are put back as they were before the page
 * came, as on a disk whose last writes went with the machine. The page stands in the gap then.
 */

import { cp, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rememberedBy } from "../../support/checkpoints.ts";
import type { ProcessGateway } from "../../support/gateway.ts";
import { type Journey, startJourney } from "../../support/journey.ts";
import { isInside, parkedAt, recordNavigations, seesPeopleAhead } from "../../support/waiting-visitor.ts";

/** While a page cannot reach its gateway it asks ever more slowly. */
const slowly = { timeout: 55_000, interval: 100 };
const room = "tickets";

let journey: Journey<ProcessGateway>;
beforeAll(async () => {
  journey = await startJourney([{ id: room }], {}, true);
});
afterAll(() => journey?.stop());

async function status() {
  const response = await fetch(`${journey.gateway.origin}/rooms/${room}/status`);
  const { availability, gaps, waiting, queued } = (await response.json()) as Record<string, unknown>;
  return { availability, gaps, waiting, queued };
}

test("a place that nobody remembers after a loss is known again from its open page, and the gap ends there", async () => {
  const { gateway } = journey;
  await journey.joinOthers(room, 5);
  await expect.poll(async () => (await rememberedBy(gateway, room))?.queued).toBeGreaterThanOrEqual(5);
  const checkpoints = join(dirname(gateway.secretsFile), "checkpoints");
  await cp(checkpoints, `${checkpoints}-before`, { recursive: true });

  // Two of these three have no page that could tell of them.
  await journey.joinOthers(room, 2);
  const page = await journey.arrive(room);
  expect(await parkedAt(page)).toBe(8);
  const navigations = recordNavigations(page);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));

  await gateway.kill();
  await rm(checkpoints, { recursive: true });
  await cp(`${checkpoints}-before`, checkpoints, { recursive: true });
  await gateway.start();

  await expect.poll(status, slowly).toMatchObject({ availability: "ready", waiting: 8 });
  const { gaps, queued } = await status();
  expect(gaps).toEqual([[9, queued]]);
  await seesPeopleAhead(page, "7 people ahead of you");
  expect(asked.filter((path) => path === `/rooms/${room}/tickets/me`).length).toBeGreaterThan(0);
  // Whoever comes now is told of all who stand before.
  const newcomer = await journey.arrive(room);
  expect(await parkedAt(newcomer)).toBeGreaterThan(queued as number);
  await seesPeopleAhead(newcomer, "8 people ahead of you");

  expect(navigations).toEqual([]);
  await journey.admin.increment(room, 8);
  expect(await isInside(page)).toBe(8);
});
