import { expect, test } from "vitest";
import { logRegistryEvent } from "../../../src/http/ops/log-registry-event.ts";
import { createLogger } from "../../../src/lib/logger.ts";
import type { ClientEvent } from "../../../src/registry/index.ts";

test.each<[ClientEvent, object]>([
  [
    { event: "client.secret_rotated", clientId: "shop", admin: "ops", previousExpiresMs: 0 },
    { level: 30, admin: "ops", previous_secret_expires_at: "1970-01-01T00:00:00.000Z" },
  ],
  [
    { event: "client.deleted", clientId: "shop", admin: "ops" },
    { level: 30, admin: "ops" },
  ],
  [
    { event: "client.shadowed", clientId: "shop" },
    { level: 40, message: expect.stringContaining("DELETE") },
  ],
  [
    { event: "client.unusable", clientId: "shop", faults: ["room: no"] },
    { level: 40, faults: ["room: no"] },
  ],
])("%j is told with its issuer", (event, line) => {
  const lines: string[] = [];
  const logger = createLogger("info", { write: (text: string) => void lines.push(text) });
  logRegistryEvent({ ...event, issuer: "https://queue.example.com" }, logger);
  expect(lines.map((text) => JSON.parse(text))).toMatchObject([
    { event: event.event, issuer: "https://queue.example.com", client_id: "shop", ...line },
  ]);
});
