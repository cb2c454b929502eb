// Long: plays three minutes of rooms in real time.
/** What a rehearsal finds: a full line, a line that stands, a gateway that is killed. Each plays a minute of a room. */
import { expect, test } from "vitest";
import { memoryStore, useWorld } from "../../../e2e/world.ts";
import { ADMIN_KEY } from "../../../support/gateway.ts";
import { runUsher } from "../../../support/usher-command.ts";
import { within } from "../../../support/within.ts";
import type { RehearsalReport } from "./report.ts";

const open = { inlet: { type: "periodic", outflow_per_minute: 600 } };
const rehearsal = { rehearsal: true };

const world = useWorld(() => ({
  store: memoryStore,
  rooms: [
    { id: "crowded", ...open, settings: { ...rehearsal, max_waiting: 5 } },
    { id: "still", inlet: { type: "manual" }, settings: rehearsal },
    { id: "paused", ...open, settings: rehearsal },
  ],
}));

const usher = (args: readonly string[]) =>
  runUsher(["rehearse", ...args], { env: { USHER_ADMIN: world().issuer, USHER_ADMIN_API_KEY: ADMIN_KEY } });

async function played(args: readonly string[]) {
  const run = await usher([...args, "--minutes", "1", "--seed", "1", "--json"]);
  return { ...run, report: JSON.parse(run.printed) as RehearsalReport };
}

const roomOf = async (room: string) => (await world().admin.request("GET", `/rooms/${room}`)).json();

test.concurrent("finds a line that is full, and says the way out", async () => {
  const { report, code, failure } = await played(["crowded", "--visitors", "400", "--absent", "0"]);
  expect(report.refused.room_full).toBeGreaterThan(0);
  expect(report.mend).toContainEqual({
    about: "refused",
    status: "warning",
    text: expect.stringMatching(/^The page room_full was shown [\d,]+ times: raise max_waiting/),
  });
  expect([code, failure]).toEqual([1, expect.stringMatching(/to mend before the sale/)]);
  expect(report.gateways?.refused?.full).toBe(report.refused.room_full);
  expect(report.gateways?.differences).toEqual({ joined: 0, admitted: 0 });
});

test.concurrent("ends with its time in a line that does not move, and leaves nobody behind", async () => {
  const run = await usher(["still", "--visitors", "20", "--minutes", "1", "--seed", "1"]);
  expect(run.printed).toMatch(/^Rehearsal of still by logins of site-still, over after 60 s \(seed 1\)\.$/m);
  expect(run.printed).toMatch(/^still waiting +20$/m);
  expect(run.printed).toMatch(/^joined +20 +20$/m);
  expect(run.printed).toMatch(/^1 +20 +0 +none +20 +open$/m);
  expect(run.printed).toMatch(/Nothing to mend was seen\.$|^To mend:$/m);
  const counts = expect.objectContaining({ joined: 20, left: 20 });
  await within(5_000, async () => expect(await roomOf("still")).toMatchObject({ counts }));
});

test.concurrent("finds that the room was paused in the middle", async () => {
  const running = played(["paused", "--visitors", "100", "--absent", "0"]);
  await new Promise((resolve) => setTimeout(resolve, 10_000));
  await world().admin.step("paused", "pause");
  await new Promise((resolve) => setTimeout(resolve, 8_000));
  await world().admin.step("paused", "resume");
  const { report } = await running;
  expect(report.room_was.paused).toBeGreaterThanOrEqual(4);
  expect(report.mend).toContainEqual({
    about: "room",
    status: "warning",
    text: expect.stringMatching(/seconds the room was paused: see why before the sale/),
  });
  expect(report.visitors).toMatchObject({ joined: 100, admitted: 100, lost_places: 0 });
});
