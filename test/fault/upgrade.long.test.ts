// Long: upgrades an installation and rolls it back, under load.
/**
 * Goal: an installation is upgraded from the last release to this version, and rolled back, gateway by gateway under load, and rules 1 to 10
 * hold all the time. Method: two gateways of the last release on one Redis behind nginx, with people in line, an admission a
 * tenth of a second in a room with a limit, settings, clients and rooms made at run time. One gateway after the other becomes this
 * version, then the old one again, then this one. After each step everybody's place is looked for. Where the changelog says that the
 * versions cannot share a store, all are stopped instead, the store is emptied, and they start as this version.
 */
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { LogVerifier } from "../../src/room/admission-log/index.ts";
import { createAdmin } from "../support/admin.ts";
import { type ProcessGateway, startGateways } from "../support/gateway.ts";
import { createHttpClient } from "../support/http-client.ts";
import { startNginx } from "../support/nginx.ts";
import { freePort } from "../support/ports.ts";
import { buildPreviousRelease, findPreviousRelease, sharesStoreWithPrevious } from "../support/previous-release.ts";
import { startRedis } from "../support/redis-server.ts";
import { startSteadyLoad } from "../support/steady-load.ts";
import { admissionTimes, mostInWindow } from "./admissions.ts";
import { crowdAtTheDoor } from "./crowd.ts";
import { until } from "./heard.ts";
import { clientOf, forEach, joinAll, type Person, redirectUri, visit } from "./people.ts";

const previous = findPreviousRelease();
const current = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
const timeout = 600_000;

// A clone without history has no last release: then there is nothing to upgrade from.
test.skipIf(previous === null || !sharesStoreWithPrevious())(
  "upgraded and rolled back under load, nobody loses a place or a request",
  { timeout },
  async () => {
    const old = await buildPreviousRelease(previous ?? "");
    const redis = await startRedis();
    const http = createHttpClient();
    const port = await freePort();
    const issuer = `http://localhost:${port}`;
    const rooms = ["line", "busy"].map((id) => ({ id, inlet: { type: "manual" } }));
    const limited = { id: "limited", inlet: { type: "manual", outflow_per_minute: 600 } };
    const gateways = await startGateways(2, {
      asProcess: true,
      mainFile: old,
      config: {
        issuer,
        listen: { drain: "2s", trusted_proxies: ["127.0.0.1"] },
        store: { type: "redis", url: redis.url },
        rooms: [...rooms, limited],
        clients: ["line", "busy", "limited"].map(clientOf),
      },
    });
    const nginx = await startNginx({ port, upstreamPorts: gateways.map((gateway) => gateway.port) });
    const admin = createAdmin(http, issuer);
    const { client_id: clientId, client_secret: clientSecret } = clientOf("busy");
    const load = startSteadyLoad(issuer, { room: "busy", clientId, clientSecret, redirectUri });
    const crowd = crowdAtTheDoor(http, [issuer, issuer], "limited");
    try {
      await admin.increment("limited", 1_000_000);
      const people = await joinAll(http, [issuer], "line", 200);
      const seen = new Set(people.map(({ position }) => position));
      let served = 0;
      let made = 0;
      await become(current, "upgraded");
      await become(old, "rolled back");
      await become(current, "upgraded again");

      await crowd.stop();
      const { answers, failures, positions } = await load.stop();
      expect(failures).toEqual([]);
      expect(Math.min(...Object.values(answers))).toBeGreaterThan(200);
      expect(new Set(positions).size).toBe(positions.length);
      const admissions = await admissionTimes(admin, "limited");
      expect(mostInWindow(admissions, 60_000)).toBeLessThanOrEqual(600);
      expect(longestGap(admissions)).toBeLessThan(5_000);
      const verifier = new LogVerifier();
      const exported = (await admin.request("GET", "/audit/export")).body.trimEnd().split("\n");
      for (const line of exported) verifier.take(line);
      expect(verifier.result()).toMatchObject({ fault: null, missing: [] });
      for (const gateway of gateways)
        expect(gateway.output()).not.toMatch(/registry\.unreadable|room\.recovered|"level":[56]0/);

      /** One gateway after the other becomes this program; then what was there before is there, and what is made now counts. */
      async function become(mainFile: string, how: string): Promise<void> {
        for (const gateway of gateways) {
          await replace(gateway, mainFile);
          await expectAllAsItWas(`${how}, ${gateway.port}`);
        }
      }

      async function expectAllAsItWas(when: string): Promise<void> {
        await forEach(people.slice(served), 16, async (person: Person) => {
          const { position } = person;
          expect(await visit(http, issuer, person), when).toMatchObject({ kind: "parked", position });
        });
        // Ten more enter, in their order, and those who have stay in.
        served += 10;
        await admin.increment("line", 10);
        await forEach(people.slice(0, served), 8, async (person) => {
          await until(async () => expect((await visit(http, issuer, person)).kind, when).toBe("code"));
        });
        for (const { position } of await joinAll(http, [issuer], "line", 10)) {
          expect(seen.has(position), when).toBe(false);
          expect(position, when).toBeGreaterThan(200);
          seen.add(position);
        }
        // What is changed at run time by the one is read by the other.
        made++;
        const ids = Array.from({ length: made }, (_, index) => `made-${index + 1}`);
        const room = { id: `made-${made}`, title: "Made", inlet: { type: "manual" } };
        expect((await admin.request("POST", "/rooms", room)).status, when).toBe(201);
        const client = { client_id: `made-${made}`, redirect_uris: [redirectUri], room: `made-${made}` };
        await until(async () => expect([201, 409]).toContain((await admin.request("POST", "/clients", client)).status));
        expect((await admin.request("PATCH", "/rooms/busy", { max_waiting: 1_000_000 + made })).status).toBe(200);
        for (const { origin } of gateways) {
          const direct = createAdmin(http, origin);
          await until(async () => {
            const listed = JSON.stringify((await direct.request("GET", "/clients")).json());
            for (const id of ids) expect(listed, when).toContain(`"${id}"`);
            expect(JSON.stringify((await direct.request("GET", "/rooms/busy")).json())).toContain(
              `${1_000_000 + made}`,
            );
          });
        }
      }
    } finally {
      await crowd.stop();
      await load.stop();
      http.close();
      await nginx.stop();
      await Promise.all(gateways.map((gateway) => gateway.stop()));
      await redis.stop();
    }
  },
);

test.skipIf(previous === null || sharesStoreWithPrevious())(
  "stopped, with its store emptied, and started as this version, nobody loses a place",
  { timeout },
  async () => {
    const redis = await startRedis();
    const http = createHttpClient();
    const port = await freePort();
    const issuer = `http://localhost:${port}`;
    const gateways = await startGateways(2, {
      asProcess: true,
      mainFile: await buildPreviousRelease(previous ?? ""),
      config: {
        issuer,
        listen: { trusted_proxies: ["127.0.0.1"] },
        store: { type: "redis", url: redis.url },
        rooms: [{ id: "line", inlet: { type: "manual" } }],
        clients: [clientOf("line")],
      },
    });
    const nginx = await startNginx({ port, upstreamPorts: gateways.map((gateway) => gateway.port) });
    const admin = createAdmin(http, issuer);
    try {
      const people = await joinAll(http, [issuer], "line", 200);
      await admin.increment("line", 10);
      const [entered, waiting] = [people.slice(0, 10), people.slice(10)];
      const expectAsItWas = async () => {
        await forEach(entered, 8, async (person) => {
          await until(async () => expect((await visit(http, issuer, person)).kind).toBe("code"));
        });
        await forEach(waiting, 16, async (person) => {
          const { position } = person;
          await until(async () =>
            expect(await visit(http, issuer, person)).toMatchObject({ kind: "parked", position }),
          );
        });
      };
      await expectAsItWas();
      for (const gateway of gateways) expect((await gateway.halt()).code).toBe(0);
      await redis.command("FLUSHALL");
      for (const gateway of gateways) await gateway.start(current);
      for (const gateway of gateways) await gateway.waitUntilReady();
      await expectAsItWas();
      for (const { position } of await joinAll(http, [issuer], "line", 10)) expect(position).toBeGreaterThan(200);
    } finally {
      http.close();
      await nginx.stop();
      await Promise.all(gateways.map((gateway) => gateway.stop()));
      await redis.stop();
    }
  },
);

async function replace(gateway: ProcessGateway, mainFile: string): Promise<void> {
  expect((await gateway.halt()).code).toBe(0);
  await gateway.start(mainFile);
  await gateway.waitUntilReady();
  await delay(500);
}

function longestGap(times: readonly number[]): number {
  return Math.max(...times.slice(1).map((at, index) => at - (times[index] ?? at)));
}
