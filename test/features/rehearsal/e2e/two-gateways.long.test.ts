// Long: lets a thousand visitors in, in real time.
/**
 * Goal: a thousand visitors of `usher rehearse` against two gateways on Redis, behind nginx; its report says what the gateways counted.
 * Method: the command itself, with logins of the room's client and its secret; the counters of the room before and after.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { redisStore } from "../../../e2e/redis-store.ts";
import { clientSecret, startWorld, type World } from "../../../e2e/world.ts";
import { ADMIN_KEY } from "../../../support/gateway.ts";
import { type Nginx, startNginx } from "../../../support/nginx.ts";
import { freePort, freePorts } from "../../../support/ports.ts";
import { runUsher } from "../../../support/usher-command.ts";
import type { RehearsalReport } from "./report.ts";

const visitors = 1_000;
/** In so many minutes, so that a machine that has much else to do answers in time. */
const minutes = 4;
const limit = 600;

let nginx: Nginx;
let world: World;

beforeAll(async () => {
  const upstreamPorts = await freePorts(2);
  // All visitors come from one address, from which only ten may join at once.
  const locations = `location / {
    proxy_pass http://gateways;
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_set_header Host $http_host;
    proxy_set_header X-Forwarded-For 203.0.113.9;
    proxy_set_header X-Forwarded-Proto $scheme;
    proxy_buffer_size 32k;
    proxy_buffers 8 32k;
  }`;
  nginx = await startNginx({ upstreamPorts, port: await freePort(), locations });
  world = await startWorld({
    store: redisStore,
    rooms: [
      {
        id: "practice",
        inlet: { type: "periodic", outflow_per_minute: limit },
        settings: { rehearsal: true, joins_per_address: { per_minute: 60, burst: 10 } },
      },
    ],
    gateways: 2,
    ports: upstreamPorts,
    issuer: nginx.origin,
    config: { listen: { trusted_proxies: ["127.0.0.1", "::1"] } },
  });
});
afterAll(async () => {
  await world?.stop();
  await nginx?.stop();
});

/** Of one process, by its own metrics. */
async function countedBy(origin: string) {
  const { body } = await world.http.get(`${origin}/metrics`);
  const sum = (name: string) =>
    [...body.matchAll(new RegExp(`^${name}\\{[^}]*room="practice"[^}]*\\} (\\d+)`, "gm"))].reduce(
      (all, [, count]) => all + Number(count),
      0,
    );
  return {
    joins: sum("usher_joins_total"),
    admissions: sum("usher_admissions_total"),
    logins: sum("usher_logins_total"),
  };
}

test("a thousand visitors: what they saw is what the gateways counted, and the room is left empty", async () => {
  const env = {
    USHER_ADMIN: nginx.origin,
    USHER_ADMIN_API_KEY: ADMIN_KEY,
    USHER_CLIENT_SECRET: clientSecret("practice"),
  };
  const args = [
    "rehearse",
    "practice",
    "--visitors",
    String(visitors),
    "--minutes",
    String(minutes),
    "--seed",
    "7",
    "--json",
  ];
  const run = await runUsher(args, { env });
  const report = JSON.parse(run.printed) as RehearsalReport;
  const { visitors: met, requests, gateways, outflow, mend } = report;
  // What is slow on this machine may be told; nothing else is to be mended.
  expect(mend.filter(({ about }) => about !== "latency" && about !== "rehearsal")).toEqual([]);
  expect(run.code).toBe(mend.length === 0 ? 0 : 1);

  const admitted = visitors - met.no_shows;
  expect(met).toMatchObject({ arrived: visitors, joined: visitors, admitted, waiting: 0, gave_up: 0, lost_places: 0 });
  expect(met.no_shows).toBeGreaterThan(visitors * 0.02);
  expect([met.reloads, met.second_tabs].every((count) => count > visitors * 0.05)).toBe(true);
  expect(met.logins).toBeGreaterThan(admitted);
  expect(gateways).toMatchObject({ joined: visitors, admitted, differences: { joined: 0, admitted: 0 } });

  // Each process counts what went through it, in another way than the store: the sums are what the visitors saw.
  const counted = await Promise.all(world.gateways.map(({ origin }) => countedBy(origin)));
  const sum = (name: keyof (typeof counted)[number]) => counted.reduce((all, each) => all + each[name], 0);
  expect([sum("joins"), sum("admissions"), sum("logins")]).toEqual([visitors, admitted, met.logins]);
  for (const { joins, admissions } of counted) expect(Math.min(joins, admissions)).toBeGreaterThan(visitors / 10);

  // A join for each visitor, tokens for each login, and no other page than Usher's.
  expect(requests).toMatchObject({ join: { count: visitors }, token: { count: met.logins } });
  expect(Object.keys(requests)).toEqual(expect.arrayContaining(["page", "status", "enter", "leave"]));
  for (const { p50_ms, p99_ms, max_ms } of Object.values(requests)) {
    expect(p50_ms).toBeGreaterThan(0);
    expect(p99_ms).toBeGreaterThanOrEqual(p50_ms);
    expect(max_ms).toBeGreaterThanOrEqual(p99_ms);
  }
  expect(outflow.limit_per_minute).toEqual({ least: limit, most: limit });
  // By when visitors heard of it: an answer may be a second late.
  expect(outflow.most_in_a_minute).toBeLessThanOrEqual((limit * 61) / 60);
  expect(outflow.minutes.reduce((all, { joined }) => all + joined, 0)).toBe(visitors);

  // Nobody is left, in line or inside.
  expect([met.left_at_the_end, met.ghosts]).toEqual([visitors, 0]);
  await expect
    .poll(async () => (await world.admin.request("GET", "/rooms/practice")).json())
    .toMatchObject({ live_admissions: 0, pending: 0 });
  const output = world.gateways.map((gateway) => gateway.output()).join("");
  expect(output + run.printed + run.failure).not.toContain(clientSecret("practice"));
});
