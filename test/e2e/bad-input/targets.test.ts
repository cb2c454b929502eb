import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { expect, test } from "vitest";
import { memoryStore, useWorld } from "../world.ts";

const world = useWorld(() => ({ store: memoryStore, rooms: [{ id: "line" }] }));

/** A request whose target is sent as it is, which no ordinary client does. */
async function send(target: string, method = "GET", headers: Record<string, string> = {}) {
  const { port } = new URL(world().issuer);
  const outgoing = request({ host: "127.0.0.1", port, path: target, method, headers });
  outgoing.end();
  const [response] = (await once(outgoing, "response")) as [IncomingMessage];
  let body = "";
  for await (const chunk of response) body += chunk;
  return { status: response.statusCode, body };
}

const foreignTargets = [
  "http://evil.example",
  "https://evil.example/",
  "HTTP://evil.example:81/rooms/line/status",
  "http://evil.example/healthz",
  "http://evil.example/.well-known/openid-configuration",
  "https://evil.example/logout",
  "http://evil.example/authorize?client_id=site-line",
  "http://127.0.0.1@evil.example/healthz",
  "http://evil.example:99999/healthz",
  "http://[::1/healthz",
  "http://%zz/healthz",
];

test.each(foreignTargets)(
  "the target %s names somebody else, and is refused without a word of theirs",
  async (target) => {
    for (const headers of [{}, { accept: "text/html" }, { host: new URL(world().issuer).host }]) {
      const answer = await send(target, "GET", headers);
      expect(answer.status).toBe(421);
      expect(answer.body).not.toContain("evil");
    }
  },
);

test("a target that names the issuer's host, in letters of any size and either scheme, is the path behind it", async () => {
  const { host, port } = new URL(world().issuer);
  for (const origin of [`http://${host}`, `HTTPS://${host}`, `http://LOCALHOST:${port}`]) {
    expect((await send(`${origin}/rooms/line/status`)).body).toContain('"room":"line"');
    expect((await send(`${origin}/.well-known/openid-configuration`)).status).toBe(200);
    for (const path of ["", "/", "?from=ads"]) {
      const front = await send(origin + path, "GET", { accept: "text/html" });
      expect([front.status, front.body.includes('data-notice="front_door"')]).toEqual([200, true]);
    }
  }
  expect((await send(`http://${host}:1/healthz`)).status).toBe(421);
});

test.each([
  ["OPTIONS", "*"],
  ["GET", "evil.example:443"],
  ["GET", "//evil.example/.well-known/openid-configuration"],
])("%s %s is nothing of ours", async (method, target) => {
  const answer = await send(target, method);
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.status).toBeLessThan(500);
});
