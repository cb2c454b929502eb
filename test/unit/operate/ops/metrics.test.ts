import { EventEmitter } from "node:events";
import { Gauge } from "prom-client";
import { expect, test } from "vitest";
import { createMetrics } from "../../../../src/operate/ops/metrics.ts";
import type { WaitingRooms } from "../../../../src/room/index.ts";

test("what was counted of a room is told as long as there is the room", async () => {
  const events: WaitingRooms["events"] = new EventEmitter();
  let ids = ["stays", "goes"];
  let all: readonly unknown[] = [];
  const follow = (next: string[]) => {
    ids = next;
    all = ids.map((id) => ({ id, state: null, availability: "ready", isOnHold: false }));
  };
  follow(ids);
  const rooms = {
    events,
    get all() {
      return all;
    },
    get: (id: string) => (ids.includes(id) ? {} : undefined),
  } as unknown as WaitingRooms;
  const keyWithEnd = {
    source: "admin_api",
    identity: "made saturday 0",
    id: "saturday",
    role: "viewer",
    rooms: null,
    status: "active",
    registered: {
      ...({ role: "viewer", rooms: null, note: null, secrets: [] } as const),
      created_by: "own",
      created_ms: 0,
      expires_ms: 5_000,
    },
  } as const;
  const metrics = createMetrics({
    rooms,
    store: { commandCounts: new Map(), onRoundTrip() {}, breaker: null },
    readiness: () => null,
    version: "1.2.3",
    adminKeys: { views: [{ source: "file", id: "own", identity: "file own", role: "admin", rooms: null }, keyWithEnd] },
    homes: [
      { room: "stays", system: "A system", ids: ["one", "two"], guide: "docs/homes/aws.md" },
      { room: "stays", system: "Another", ids: [], guide: "docs/homes/queue-it.md" },
    ],
    failingSecrets: () => 0,
    areCheckpointsFailing: () => false,
    skewMs: () => null,
    streams: { count: 2 },
    addMore: (read) => void read(Gauge, "usher_of_a_feature", "Of a feature", ["hook"], () => [[{ hook: "one" }, 4]]),
  });
  for (const room of ids) {
    events.emit("tickets.joined", { room, count: 3 });
    events.emit("claim.refused", { room, reason: "held" });
    events.emit("settings.drift", { room, isDrifting: true } as never);
  }
  expect(await metrics.render()).toContain('usher_settings_drift{room="goes"} 1');
  follow(["stays"]);
  const text = await metrics.render();
  expect(text).not.toContain('key="own"');
  expect(text).not.toContain('"goes"');
  for (const line of [
    'usher_joins_total{room="stays"} 3',
    'usher_settings_drift{room="stays"} 1',
    'usher_admin_key_expires_timestamp_seconds{key="saturday"} 5',
    'usher_of_a_feature{hook="one"} 4',
    "usher_event_streams 2",
    'usher_home{room="stays",system="A system",id="two"} 1',
    'usher_home{room="stays",system="Another",id=""} 1',
  ]) {
    expect(text).toContain(line);
  }
});
