// Long: what a restart of everything keeps; rooms/run-time.test.ts has an emptied store, ops.test.ts live settings.
/**
 * Gate, joins per address, log and waiting status changed live: in force at every process at once, beside what the file says, and
 * still so after the store was emptied and every process restarted. null gives back to the file.
 */
import { expect, test } from "vitest";
import { createAdmin } from "../../support/admin.ts";
import { ownDatabase } from "../redis-store.ts";
import { useWorld } from "../world.ts";

const { store, database } = ownDatabase();
const world = useWorld(() => ({
  store,
  rooms: [{ id: "live" }],
  gateways: 2,
  config: { listen: { trusted_proxies: ["127.0.0.1", "::1"] } },
}));

interface Settings {
  settings: Record<string, unknown>;
  settings_file: Record<string, unknown>;
  settings_live: Record<string, unknown>;
}

const ofFile = { joins_per_address: { per_minute: 600, burst: 1_200 }, waiting_status: 200 };
const changed = {
  joins_per_address: { per_minute: 1, burst: 2 },
  waiting_status: 429,
  admission_log: { max_entries: 7 },
  inlet: {
    gate: { health_url: "http://127.0.0.1:9/", interval: "1s", timeout: "1s", unhealthy_after: 2, healthy_after: 2 },
  },
};

async function settingsAt(origin: string): Promise<Settings> {
  return (await createAdmin(world().http, origin).request("GET", "/rooms/live")).json() as Settings;
}

/** Statuses of joins one after the other from one address. */
async function joins(origin: string, count: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < count; i++) {
    const headers = { "x-forwarded-for": "203.0.113.7" };
    statuses.push((await world().http.request(`${origin}/rooms/live/tickets`, { method: "POST", headers })).status);
  }
  return statuses;
}

test("live changes of all kinds are in force everywhere, survive a total loss, and are given back", async () => {
  const { admin, gateways, issuer, relyingParty, visitor } = world();
  const [one, two] = gateways;
  if (one === undefined || two === undefined) throw new Error("two gateways are needed");
  await admin.change("live", changed);
  for (const { origin } of [one, two]) {
    await expect
      .poll(() => settingsAt(origin))
      .toMatchObject({ settings: changed, settings_file: ofFile, settings_live: changed });
  }
  expect((await settingsAt(two.origin)).settings_file).toMatchObject({ admission_log: { max_entries: 100_000 } });
  const parked = async () => (await visitor().navigate(relyingParty("live").startLogin().url)).status;
  expect(await parked()).toBe(429);
  expect(await joins(two.origin, 3)).toEqual([201, 201, 429]);
  // The gate's address answers nobody.
  await expect
    .poll(async () => (await world().http.request(`${issuer}/rooms/live/status`)).json())
    .toMatchObject({ phase: "paused" });

  await Promise.all([one.halt(), two.halt()]);
  await database().reset();
  await Promise.all([one.start(), two.start()]);
  await Promise.all([one.waitUntilReady(), two.waitUntilReady()]);
  for (const { origin } of [one, two]) {
    await expect
      .poll(() => settingsAt(origin))
      .toMatchObject({ settings: changed, settings_file: ofFile, settings_live: changed });
  }
  const back = { joins_per_address: null, waiting_status: null, admission_log: null, inlet: null };
  await admin.change("live", back);
  await expect.poll(() => settingsAt(two.origin)).toMatchObject({ settings: ofFile, settings_live: {} });
});
