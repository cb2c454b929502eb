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

test.each(["http://evil.example", "https://evil.example", "HTTP://evil.example:81"])(
  "a target that names %s as its host changes no address that we name",
  async (origin) => {
    const discovery = await send(`${origin}/.well-known/openid-configuration`);
    expect(discovery.status).toBe(200);
    expect(discovery.body).not.toContain("evil");
    expect(JSON.parse(discovery.body).token_endpoint).toBe(`${world().issuer}/token`);
    const logout = await send(`${origin}/logout`, "GET", { accept: "text/html" });
    expect(logout.body).not.toContain("evil");
  },
);

test.each(["*", "http://evil.example", "//evil.example/.well-known/openid-configuration", "evil.example:443"])(
  "the target %s is nothing of ours",
  async (target) => {
    const answer = await send(target, target === "*" ? "OPTIONS" : "GET");
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
  },
);
