/** A gateway may be a stranger's, or repeat what strangers wrote: nothing that it answers steers the terminal. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runUsher } from "../../../support/usher-command.ts";

const odd = "\u001b[2J\u202e";
const webhook = { id: odd, source: odd, url: odd, rooms: [odd], types: [odd], format: odd, note: odd, enabled: true };
const attempt = { delivered: true, status: odd, duration_ms: odd, answer: odd, reason: odd };
const answers: Readonly<Record<string, object>> = {
  "POST /admin/rooms/shop/visitors/5/debug-link": { url: odd, expires_at: odd },
  "GET /admin/rooms/shop/visitors/5": {
    state: odd,
    may_also_be: [odd],
    why: { text: odd },
    sub: odd,
    place: null,
    history: [{ event: odd, at: odd, is_exact: true, detail: odd }],
    updated_at: odd,
    age_seconds: 60,
  },
  "POST /admin/api-keys/desk/rotate": { secret: odd, previous_secret_expires_at: odd },
  "POST /admin/webhooks/hook/secret": { secret: odd, previous_secret_expires_at: odd },
  "POST /admin/webhooks/hook/test": attempt,
  "PATCH /admin/webhooks/hook": { ...webhook, secrets: [], created_at: odd, created_by: odd },
};
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? "/", "http://localhost");
  const answer = answers[`${request.method} ${pathname}`];
  response.writeHead(answer === undefined ? 500 : 200, { "content-type": "application/json" });
  response.end(JSON.stringify(answer ?? { error: odd, error_description: odd }));
});
beforeAll(() => new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve)));
afterAll(() => void server.close());

test.each([
  ["visitor", "shop", "5", "--debug-link"],
  ["visitor", "shop", "5"],
  ["api-keys", "rotate", "desk"],
  ["webhooks", "rotate-secret", "hook"],
  ["webhooks", "test", "hook"],
  ["webhooks", "change", "hook", "--enable"],
])("usher %s %s …", async (...args) => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { USHER_ADMIN_API_KEY: "an-admin-key-0123456789abcdef", XDG_CONFIG_HOME: "/nowhere/that/is" };
  const { code, printed } = await runUsher([...args, "--url", url], { env });
  expect([code, printed.includes("?[2J?")]).toEqual([0, true]);
  expect(printed.replaceAll("\n", "")).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
});
