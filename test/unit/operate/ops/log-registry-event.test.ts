import { expect, test } from "vitest";
import { createLogger } from "../../../../src/lib/logger.ts";
import { logRegistryEvent } from "../../../../src/operate/ops/log-registry-event.ts";
import type { ClientEvent } from "../../../../src/registry/index.ts";

const issuer = "https://queue.example.com";

test.each<[ClientEvent, object]>([
  [
    {
      event: "client.secret_rotated",
      client_id: "shop",
      admin: "ops",
      previous_secret_expires_at: "1970-01-01T00:00:00.000Z",
    },
    { level: 30, admin: "ops", previous_secret_expires_at: "1970-01-01T00:00:00.000Z" },
  ],
  [
    { event: "client.deleted", client_id: "shop", admin: "ops" },
    { level: 30, admin: "ops" },
  ],
  [
    { event: "client.shadowed", client_id: "shop" },
    { level: 40, message: expect.stringContaining("DELETE") },
  ],
  [
    { event: "client.unusable", client_id: "shop", faults: ["room: no"] },
    { level: 40, faults: ["room: no"] },
  ],
])("%j is told with its issuer", (event, line) => {
  expect(linesOf({ ...event, issuer })).toMatchObject([{ event: event.event, issuer, client_id: "shop", ...line }]);
});

test.each<[Parameters<typeof logRegistryEvent>[0], object]>([
  [
    { event: "registry.changed", version: 3, by: "another process", issuer },
    { level: 30, version: 3, by: "another process" },
  ],
  [
    { event: "registry.file_failed", err: new Error("no space"), issuer },
    { level: 50, err: { message: "no space" } },
  ],
  [
    { event: "key.promoted", kid: "k1", purpose: "tickets", alg: null, admin: "ops", forced: true, issuer },
    { level: 40, kid: "k1", purpose: "tickets", admin: "ops", forced: true },
  ],
  [
    { event: "key.entered", kid: "k1", purpose: "signing", alg: "RS256", issuer },
    { level: 30, kid: "k1", alg: "RS256" },
  ],
  [
    { event: "room.unusable", room: "a", faults: ["title: no"], issuer },
    { level: 40, room: "a", faults: ["title: no"] },
  ],
])("%j says what it is about", (event, line) => {
  const [told, ...more] = linesOf(event);
  expect(more).toEqual([]);
  expect(told).toMatchObject({ event: event.event, issuer, ...line });
});

function linesOf(event: Parameters<typeof logRegistryEvent>[0]): object[] {
  const lines: string[] = [];
  logRegistryEvent(event, createLogger("info", { write: (text: string) => void lines.push(text) }));
  return lines.map((text) => JSON.parse(text));
}
