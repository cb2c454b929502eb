// Long: waits until pages in real caches grow old.
/**
 * The status page behind real caches, with the files of docs/caching.md: however many ask, the gateway is asked once in ten seconds, and a page
 * that has grown old is still shown when the gateway is gone, for as long as it is, and no longer.
 */
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Cache } from "../../../e2e/caching/suite.ts";
import { memoryStore, type ProcessWorld, startWorld } from "../../../e2e/world.ts";
import { blocksOf } from "../../../support/cache-guide.ts";
import { startNginx } from "../../../support/nginx.ts";
import { freePort } from "../../../support/ports.ts";
import { startVarnish } from "../../../support/varnish.ts";
import { within } from "../../../support/within.ts";

const caches: readonly [name: string, start: (port: number) => Promise<Cache>][] = [
  ["Varnish", (port) => startVarnish(blocksOf("vcl", port)[0] ?? "")],
  [
    "nginx",
    (port) => {
      const [http = "", locations = ""] = blocksOf("nginx", port);
      return startNginx({ upstreamPorts: [], http: http.replaceAll("/var/cache/nginx", "FOLDER"), locations });
    },
  ],
];
/** Older than `max-age` and `stale-while-revalidate` together. */
const staleMs = 42_000;

describe.each(caches)("behind %s", (_, start) => {
  let cache: Cache;
  let world: ProcessWorld;
  beforeAll(async () => {
    const port = await freePort();
    cache = await start(port);
    world = await startWorld({
      asProcess: true,
      store: memoryStore,
      rooms: [{ id: "tickets" }],
      ports: [port],
      issuer: cache.origin,
      config: { listen: { trusted_proxies: ["127.0.0.1/32"] }, status_page: { enabled: true } },
      env: { USHER_LOG_LEVEL: "debug" },
    });
  });
  afterAll(async () => {
    await world?.stop();
    await cache?.stop();
  });
  const read = (query = "", headers: Record<string, string> = {}) =>
    fetch(`${cache.origin}/status${query}`, { headers });
  const gateway = () => world.gateways[0] ?? expect.fail("no gateway");
  const asked = () => {
    const lines = gateway().output().split("\n");
    return lines.filter((line) => line.includes("request.answered") && line.includes('"path":"/status"')).length;
  };

  test("a hundred readers with cookies, encodings and queries of their own are one request, and each language is another", async () => {
    const before = asked();
    for (let reader = 0; reader < 100; reader++) {
      const encoding = ["gzip", "gzip, deflate, br", "identity"][reader % 3] ?? "";
      const answer = await read(`?reader=${reader}`, {
        cookie: `usher-tickets=${reader}`,
        "accept-encoding": encoding,
      });
      expect([answer.status, answer.headers.get("set-cookie")]).toEqual([200, null]);
      expect(await answer.text()).toContain("Everything works.");
    }
    await expect.poll(asked).toBeGreaterThan(before);
    expect(asked() - before).toBeLessThanOrEqual(2);
    expect(await (await read("?language=de&reader=1")).text()).toContain("Alles funktioniert.");
    expect(await (await read("?reader=2&language=fr")).text()).toContain("Tout fonctionne.");
    expect(await (await read("?reader=3")).text()).toContain("Everything works.");
  });

  test("a page that is old is shown when the gateway is gone, and a new one when it is back", async () => {
    await world.admin.request("POST", "/incidents", { title: "Before the fall", text: "We are looking into it." });
    await within(45_000, async () => {
      expect(await (await read()).text()).toContain("Before the fall");
      expect(await (await fetch(`${cache.origin}/status.json`)).text()).toContain("Before the fall");
    });
    await gateway().kill();
    await pause(staleMs);
    for (let time = 0; time < 3; time++) {
      const answer = await read();
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining("Before the fall")]);
      expect((await fetch(`${cache.origin}/status.json`)).status).toBe(200);
    }
    // What nobody had read is not there.
    expect((await read("?language=nl")).status).toBeGreaterThanOrEqual(500);
    await gateway().start();
    await gateway().waitUntilReady();
    await world.admin.request("POST", "/incidents", { title: "After the fall", text: "All is well." });
    await pause(12_000);
    // The first reader may still be shown the old one, while the new one is fetched.
    await within(15_000, async () => expect(await (await read()).text()).toContain("After the fall"));
  });
});
