// Long: starts nginx and Caddy; at-site.test.ts shows the answers that they are given.
/** Real proxies with the configurations of docs/homes/cloudflare.md: a program waits at the site's address, and is let in there. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { CookieJar } from "../../../../src/lib/cookie-jar.ts";
import { documentedBlock, seen, startEchoSite } from "../../../e2e/ways-in/proxied-site.ts";
import { memoryStore, startWorld, type World } from "../../../e2e/world.ts";
import { startCaddy } from "../../../support/caddy.ts";
import { startNginx } from "../../../support/nginx.ts";
import { freePorts } from "../../../support/ports.ts";

const page = readFileSync(fileURLToPath(new URL("../../../../docs/homes/cloudflare.md", import.meta.url)), "utf8");
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))].map(([, block = ""]) => block);

const proxies = {
  async nginx(port: number, usher: number, site: number) {
    const [variables = "", location = ""] = blocks("nginx");
    const locations = documentedBlock("nginx")
      .replace("  auth_request_set $usher_cookie", `${variables}  auth_request_set $usher_cookie`)
      .replace(/location @usher \{[\s\S]*?\n\}\n/, location)
      .replaceAll("http://shop", `http://127.0.0.1:${site}`)
      .replaceAll("http://usher", `http://127.0.0.1:${usher}`);
    return startNginx({ upstreamPorts: [], port, serverName: "127.0.0.1", locations });
  },
  async caddy(port: number, usher: number, site: number) {
    const [block = ""] = blocks("caddyfile");
    const sites = documentedBlock("caddyfile")
      .replace(/ {4}forward_auth @asked[\s\S]*?\n {4}\}\n/, block)
      .replace("shop.example.com", `http://127.0.0.1:${port}`)
      .replaceAll("usher:3000", `127.0.0.1:${usher}`)
      .replaceAll("shop:8080", `127.0.0.1:${site}`);
    return startCaddy({ port, sites });
  },
};

const stopped: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stopped.splice(0).reverse()) await stop();
});

async function startSite(proxy: keyof typeof proxies): Promise<{ world: World; site: string }> {
  const [sitePort = 0, proxyPort = 0] = await freePorts(2);
  const site = `http://127.0.0.1:${proxyPort}`;
  const settings = { targets: [`${site}/`, `${site}/*`], waiting_status: 202 };
  const world = await startWorld({
    store: memoryStore,
    rooms: [{ id: "tickets", settings }],
    config: { homes: { cloudflare: { rooms: { tickets: true } } } } as never,
  });
  stopped.push(() => world.stop());
  const server = await startEchoSite(sitePort);
  stopped.push(() => server.stop());
  const running = await proxies[proxy](proxyPort, world.gateways[0]?.port ?? 0, sitePort);
  stopped.push(() => running.stop());
  return { world, site };
}

test.each(["nginx", "caddy"] as const)(
  "%s: a program waits, keeps its place, and is answered by the site",
  async (proxy) => {
    const { world, site } = await startSite(proxy);
    const jar = new CookieJar();
    const ask = async (method = "GET") => {
      const cookie = jar.header("127.0.0.1");
      const headers = { accept: "application/json", ...(cookie !== "" && { cookie }) };
      const answer = await world.http.request(`${site}/api/checkout?a=1`, { method, headers });
      jar.keep("127.0.0.1", answer.setCookies);
      return answer;
    };
    const first = await ask();
    expect([first.status, first.json()]).toMatchObject([
      202,
      { cfWaitingRoom: { inWaitingRoom: true, isFIFOQueue: true } },
    ]);
    expect(first.header("content-type")).toMatch(/^application\/json/);
    expect(jar.header("127.0.0.1")).toMatch(/^usher-tickets\.ticket=w1/);
    const ticket = jar.header("127.0.0.1");
    expect((await ask("POST")).status).toBe(202);
    expect(jar.header("127.0.0.1")).toBe(ticket);

    const stranger = await world.http.get(`${site}/api/checkout`, { accept: "*/*" });
    expect([stranger.status, stranger.setCookies]).toEqual([401, []]);
    const visitor = await world.visitor().navigate(`${site}/`);
    expect([visitor.url.origin, visitor.position]).toEqual([world.issuer, 2]);

    await world.admin.increment("tickets", 1);
    await expect.poll(async () => (await ask("POST")).status).toBe(200);
    const inside = await ask("POST");
    expect(inside.status).toBe(200);
    expect(seen(inside)).toMatchObject({
      method: "POST",
      url: "/api/checkout?a=1",
      usher: { "x-usher-position": "1" },
    });
  },
);
