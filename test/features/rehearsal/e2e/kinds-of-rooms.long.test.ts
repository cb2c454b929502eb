// Long: plays minutes of rooms in real time.
/** Rehearsals of rooms of several kinds: a prequeue with a draw, a room with so many inside, one that holds visitors, a gateway that is killed. */
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { redisStore } from "../../../e2e/redis-store.ts";
import { useWorld } from "../../../e2e/world.ts";
import { ADMIN_KEY } from "../../../support/gateway.ts";
import { runUsher } from "../../../support/usher-command.ts";
import type { RehearsalReport } from "./report.ts";

const rehearsal = { rehearsal: true };

const world = useWorld(() => ({
  asProcess: true,
  store: redisStore,
  rooms: [
    {
      id: "drawn",
      inlet: { type: "periodic", outflow_per_minute: 600 },
      settings: { ...rehearsal, schedule: { opens_at: "2035-01-01T00:00:00Z" }, draw: { order: "random" } },
    },
    { id: "seats", inlet: { type: "max_active", max_active: 30 }, settings: rehearsal },
    { id: "killed", inlet: { type: "periodic", outflow_per_minute: 120 }, settings: rehearsal },
  ],
}));

async function played(room: string, ...args: string[]) {
  const env = { USHER_ADMIN: world().issuer, USHER_ADMIN_API_KEY: ADMIN_KEY };
  const run = await runUsher(["rehearse", room, "--seed", "3", "--json", ...args], { env });
  const report = JSON.parse(run.printed) as RehearsalReport;
  return { ...run, report, mend: report.mend.filter(({ about }) => about !== "latency" && about !== "rehearsal") };
}

test("a draw: entry numbers become places once, in every tab", async () => {
  const in45s = new Date(Date.now() + 45_000).toISOString();
  await world().admin.change("drawn", { schedule: { prequeue_at: new Date().toISOString(), opens_at: in45s } });
  await expect
    .poll(async () => (await world().admin.request("GET", "/rooms/drawn")).json())
    .toMatchObject({ phase: "prequeue" });
  const { report, mend } = await played(
    "drawn",
    "--visitors",
    "100",
    "--minutes",
    "2",
    "--absent",
    "0",
    "--tabs",
    "50",
  );
  expect(mend).toEqual([]);
  expect(report.visitors).toMatchObject({ joined: 100, admitted: 100, waiting: 0, lost_places: 0 });
  expect(report.requests.place?.count).toBeGreaterThanOrEqual(100);
  expect(report.room_was.prequeue).toBeGreaterThan(20);
  expect(report.gateways?.differences).toEqual({ joined: 0, admitted: 0 });
});

test("so many inside: who logs out makes room for the next", async () => {
  const { report, mend } = await played("seats", "--visitors", "100", "--minutes", "2", "--absent", "0", "--stay", "3");
  expect(mend).toEqual([]);
  expect(report.visitors).toMatchObject({ joined: 100, admitted: 100, waiting: 0 });
  expect(report.outflow.limit_per_minute).toBeNull();
});

test("a gateway that is killed is told, and costs nobody the place", async () => {
  const running = played("killed", "--visitors", "60", "--minutes", "2", "--absent", "0");
  await delay(15_000);
  const [gateway] = world().gateways;
  await gateway?.kill();
  await delay(3_000);
  await gateway?.start();
  const { report, code } = await running;
  expect(code).toBe(1);
  expect(report.mend.map(({ about }) => about)).toContain("errors");
  expect(Object.keys(report.errors).join()).toMatch(/(status|page|claim) (ECONNREFUSED|ECONNRESET|socket hang up)/);
  expect(report.visitors).toMatchObject({ arrived: 60, joined: 60, admitted: 60, lost_places: 0, gave_up: 0 });
});
