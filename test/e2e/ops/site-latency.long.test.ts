// Long: waits for slots of statistics of ten seconds.
/** A room that has a health gate, and no adaptive inlet: what its statistics say of a real site that takes its time. Waits for slots of ten seconds. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { redisStore } from "../redis-store.ts";
import { useWorld } from "../world.ts";

const tookMs = 150;
let isWell = true;
const site = createServer((_, response) => {
  setTimeout(() => response.writeHead(isWell ? 200 : 503).end(), tookMs);
});
await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
afterAll(() => {
  site.closeAllConnections();
  site.close();
});

const world = useWorld(() => ({
  store: redisStore,
  gateways: 2,
  rooms: [
    {
      id: "shop",
      inlet: {
        type: "periodic",
        outflow_per_minute: 60,
        gate: {
          health_url: `http://127.0.0.1:${(site.address() as AddressInfo).port}/`,
          interval: "1s",
          timeout: "2s",
          unhealthy_after: 2,
          healthy_after: 1,
        },
      },
    },
  ],
}));

const latencies = async () => {
  const answer = await world().admin.request("GET", "/rooms/shop/statistics?step=10s");
  const { steps } = answer.json() as { steps: { phase: string | null; site_latency_ms: number | null }[] };
  return steps.filter(({ phase }) => phase !== null);
};

test("as long as it answers well, the time that it took; and nothing once it does not", async () => {
  await expect
    .poll(async () => (await latencies()).map(({ site_latency_ms: ms }) => ms).at(-1), {
      timeout: 40_000,
      interval: 500,
    })
    .toBeGreaterThanOrEqual(tookMs);
  expect((await latencies()).at(-1)?.site_latency_ms).toBeLessThan(2_000);
  isWell = false;
  await expect
    .poll(async () => (await latencies()).at(-1), { timeout: 40_000, interval: 500 })
    .toMatchObject({ phase: "paused", site_latency_ms: null });
});
