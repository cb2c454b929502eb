/** What the tests of followed secrets share: a loaded configuration, moved clock and timers, and what was heard. */
import type { SecretChange, SecretReport } from "../../../src/config/index.ts";
import { systemRandom } from "../../../src/lib/clock-and-random.ts";
import { type LoadOptions, loadConfig, parts } from "../../support/load-config.ts";
import { createManualTimers } from "../../support/manual-timers.ts";
import { createMovedClock } from "../../support/moved-clock.ts";

export async function follow(options: Omit<LoadOptions, "env">, fraction = 0.5) {
  const timers = createManualTimers();
  const clock = createMovedClock();
  const random = { ...systemRandom, fraction: () => fraction };
  const loaded = await loadConfig({ env: {}, after: timers.after, clock, random, ...options });
  const changes: SecretChange[] = [];
  const reports: SecretReport[] = [];
  for (const part of parts)
    loaded.reloaded.follow(part, (name, secrets) => changes.push({ kind: "part", part, name, secrets }));
  loaded.reloaded.start(
    (change) => changes.push(change),
    (report) => reports.push(report),
  );
  return {
    ...loaded,
    timers,
    clock,
    changes,
    reports,
    events: () => reports.map(({ event, place }) => `${event} ${place}`),
  };
}

export function clientWith(secret: unknown, more: object = {}) {
  return {
    client_id: "shop",
    client_secret: secret,
    redirect_uris: ["https://shop.example/cb"],
    room: "a",
    ...more,
  };
}

export function documentWith(clients: readonly object[], more: object = {}) {
  return { issuer: "https://q.example", rooms: [{ id: "a" }], clients, ...more };
}
