// Long: measures what a process takes under attack.
import { afterAll, beforeAll, expect, test } from "vitest";
import { cpuMs } from "../../support/cpu-time.ts";
import { type ProcessWorld, startWorld } from "../world.ts";
import { type DocumentedTls, startDocumentedTls } from "./tls-page.ts";

let tls: DocumentedTls;
let world: ProcessWorld;
beforeAll(async () => {
  tls = await startDocumentedTls();
  world = await startWorld({ ...tls.worldOptions, asProcess: true });
});
afterAll(async () => {
  await world?.stop();
  await tls?.stop();
});

test("addresses of thousands of parameters come through nginx, and cost less than what everybody else is answered", async () => {
  const pid = world.gateways[0]?.process().pid ?? 0;
  const attack = `${tls.origin}/rooms/tls/leave?${"a&".repeat(8_000)}`;
  const cost = async (what: () => Promise<{ status: number }>[]) => {
    const before = cpuMs(pid);
    const statuses = (await Promise.all(what())).map(({ status }) => status);
    return { statuses: [...new Set(statuses)], ms: cpuMs(pid) - before };
  };
  const visits = () =>
    Array.from({ length: 60 }, () => world.visitor().navigate(world.relyingParty("tls").startLogin().url));
  const attacks = () => Array.from({ length: 60 }, () => world.http.get(attack));
  // Both are compiled by then.
  await cost(() => [...attacks(), ...visits()]);
  const alone = await cost(visits);
  const attacked = await cost(() => [...attacks(), ...visits()]);
  expect([alone.statuses, attacked.statuses]).toEqual([[200], [400, 200]]);
  // Before they were refused, each cost as much as a thousand visits.
  expect(attacked.ms).toBeLessThan(alone.ms * 5);
});
