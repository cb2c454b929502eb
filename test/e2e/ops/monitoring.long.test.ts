// Long: starts Prometheus and waits for an alert; test/unit/deploy compares the dashboard with the metrics that there are.
/** A real Prometheus scrapes a gateway: the dashboard's expressions and the alerts of deploy/monitoring have what they need. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createAdmin } from "../../support/admin.ts";
import { startGateway } from "../../support/gateway.ts";
import { createHttpClient } from "../../support/http-client.ts";
import { startPrometheus } from "../../support/prometheus.ts";
import { startRedis } from "../../support/redis-server.ts";

const dashboardFile = fileURLToPath(new URL("../../../deploy/monitoring/grafana-dashboard.json", import.meta.url));
const { panels } = JSON.parse(readFileSync(dashboardFile, "utf8")) as {
  panels: { targets?: { expr: string }[] }[];
};
const expressions = panels.flatMap(({ targets = [] }) =>
  // What Grafana puts in for all rooms.
  targets.map(({ expr }) => expr.replaceAll("$room", ".+")),
);
/** Of what does not happen in this test: nobody is refused, or notified. */
const isOfNothing = (expression: string) =>
  /refusals|over_address_limit|network_refused|push_(sent|failures|gone)/.test(expression);

test("every panel of the dashboard shows something, and an alert begins when the store goes away", async () => {
  const redis = await startRedis();
  const inlet = { type: "adaptive", outflow_per_minute: 600, latency_ms: 400 };
  const gateway = await startGateway({
    config: {
      store: { type: "redis", url: redis.url },
      rooms: [{ id: "shop", inlet, push: true }],
      clients: [],
      webhooks: { allowed_hosts: ["127.0.0.1"] },
    },
  });
  const receiver = createServer((_request, response) => response.end());
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const prometheus = await startPrometheus([`localhost:${gateway.port}`]);
  const http = createHttpClient();
  const admin = createAdmin(http, gateway.origin);
  try {
    await admin.request("POST", "/rooms/shop/load", { latency_ms: 300 });
    const { port } = receiver.address() as AddressInfo;
    expect((await admin.request("POST", "/webhooks", { url: `http://127.0.0.1:${port}/` })).status).toBe(201);
    await http.request(`${gateway.origin}/rooms/shop/tickets`, { method: "POST" });
    const emptyPanels = async () => {
      await http.request(`${gateway.origin}/rooms/shop/status`, { method: "GET" });
      const shown = await Promise.all(expressions.map(async (each) => ({ each, got: await prometheus.query(each) })));
      return shown.filter(({ each, got }) => got.length === 0 && !isOfNothing(each)).map(({ each }) => each);
    };
    expect(expressions.length).toBeGreaterThan(30);
    await expect.poll(emptyPanels, { timeout: 30_000, interval: 500 }).toEqual([]);
    expect(await prometheus.query("usher_ready == 1 and usher_keys_disagree == 0")).toHaveLength(1);
    expect(await prometheus.query("usher_draw_key_missing == 0")).toHaveLength(1);

    await redis.kill();
    const begun = async () => {
      const { alerts } = (await prometheus.get("/alerts")) as { alerts: { labels: Record<string, string> }[] };
      return alerts.map(({ labels }) => `${labels.alertname} ${labels.room ?? labels.job}`);
    };
    await expect.poll(begun, { timeout: 30_000, interval: 500 }).toContain("UsherStoreAway shop");
    await expect.poll(begun, { timeout: 30_000, interval: 500 }).toContain("UsherNotReady usher");
  } finally {
    http.close();
    await prometheus.stop();
    await gateway.stop();
    await redis.stop();
    receiver.closeAllConnections();
    receiver.close();
  }
});
