/**
 * A real cache in front of a real gateway, with the files of docs/caching.md: however many ask for the status, the gateway is
 * asked about once a second; files of pages come once; and what is a visitor's own is never kept.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../../support/ports.ts";
import { memoryStore, startWorld, type World } from "../world.ts";

export interface Cache {
  readonly origin: string;
  stop(): Promise<void>;
}

const pollers = 30;
const waves = 6;

export function describeCache(name: string, start: (upstreamPort: number) => Promise<Cache>): void {
  describe(`behind ${name}`, () => {
    let cache: Cache;
    let world: World;
    beforeAll(async () => {
      const port = await freePort();
      cache = await start(port);
      world = await startWorld({
        store: memoryStore,
        rooms: [{ id: "tickets" }, { id: "other" }],
        ports: [port],
        issuer: cache.origin,
        config: { listen: { trusted_proxies: ["127.0.0.1/32"] }, pages: { assets: "linked" } },
        env: { USHER_LOG_LEVEL: "debug" },
      });
    });
    afterAll(async () => {
      await world?.stop();
      await cache?.stop();
    });

    /** How often the gateway itself has answered with a status. */
    async function statuses(): Promise<number> {
      const metrics = await (await fetch(`${world.gateways[0]?.origin}/metrics`)).text();
      return Number(/^usher_status_answers_total (\d+)$/m.exec(metrics)?.[1]);
    }
    /** How often it has answered a request for this file. */
    const asked = (file: string) => {
      const lines = world.gateways[0]?.output().split("\n") ?? [];
      return lines.filter((line) => line.includes("request.answered") && line.includes(`"path":"${file}"`)).length;
    };

    test("many pollers cost the gateway about one request a second, with cookies and queries of their own, and read fresh figures", async () => {
      const url = `${cache.origin}/rooms/tickets/status`;
      const before = await statuses();
      const beganMs = performance.now();
      const poll = async (poller: number) => {
        const encodings = ["gzip", "gzip, deflate, br", "identity", "br, gzip;q=0.5"];
        const headers = {
          "accept-encoding": encodings[poller % 4] ?? "",
          ...(poller % 2 === 0 && { cookie: `usher-tickets=${poller}` }),
        };
        const answer = await fetch(poller % 3 === 0 ? `${url}?of=${poller}` : url, { headers });
        expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "public, max-age=1"]);
        return (await answer.json()) as { room: string; phase: string };
      };
      for (let wave = 0; wave < waves; wave++) {
        const answers = await Promise.all(Array.from({ length: pollers }, (_, poller) => poll(poller)));
        expect(new Set(answers.map(({ room }) => room))).toEqual(new Set(["tickets"]));
      }
      const fetched = (await statuses()) - before;
      const tookSec = (performance.now() - beganMs) / 1_000;
      expect(fetched).toBeGreaterThanOrEqual(1);
      // However long it takes: each answer is good for a second.
      expect(fetched).toBeLessThanOrEqual(tookSec + 3);
      await world.admin.step("tickets", "pause");
      await expect.poll(() => poll(1)).toMatchObject({ phase: "paused" });
      await world.admin.step("tickets", "resume");
    });

    test("what moves in it costs the gateway no more, and a change of anything else is announced", async () => {
      const ask = async (answer: string) => (await fetch(`${cache.origin}/rooms/tickets/${answer}`)).json();
      const announced = async () => ((await ask("pace")) as [string])[0];
      const told = async () => ((await ask("status")) as { revision: string }).revision;
      // The room has just been held, and each of the two answers may be of a second ago.
      await expect.poll(async () => (await told()) === (await announced())).toBe(true);
      const revision = await told();
      const before = await statuses();
      const beganMs = performance.now();
      for (let wave = 0; wave < waves; wave++) await Promise.all(Array.from({ length: pollers }, announced));
      const tookSec = (performance.now() - beganMs) / 1_000;
      expect((await statuses()) - before).toBeLessThanOrEqual(tookSec + 3);
      await world.admin.change("tickets", { message: "Doors open late." });
      await expect.poll(announced).not.toBe(revision);
      await expect.poll(() => ask("status")).toMatchObject({ message: "Doors open late." });
      await world.admin.change("tickets", { message: null });
    });

    test("each room has a status of its own", async () => {
      for (const room of ["tickets", "other"]) {
        expect(await (await fetch(`${cache.origin}/rooms/${room}/status`)).json()).toMatchObject({ room });
      }
      expect((await fetch(`${cache.origin}/rooms/none/status`)).status).toBe(404);
    });

    test("every visitor has a page and a place of their own, whoever else asks for the same address", async () => {
      const { url } = world.relyingParty("tickets").startLogin();
      const first = world.visitor();
      const pages = [await first.navigate(url), await world.visitor().navigate(url)];
      pages.push(...(await Promise.all(Array.from({ length: 3 }, () => world.visitor().navigate(url)))));
      expect(new Set(pages.map(({ position }) => position))).toEqual(new Set([1, 2, 3, 4, 5]));
      expect(new Set(pages.map(({ setCookies }) => setCookies.join())).size).toBe(pages.length);
      for (const page of pages) {
        expect([page.header("cache-control"), page.header("age") ?? "0"]).toEqual(["no-store", "0"]);
      }
      expect((await first.navigate(url)).position).toBe(1);
    });

    test("so has every app that asks for its ticket", async () => {
      const join = async () =>
        (await (await fetch(`${cache.origin}/rooms/other/tickets`, { method: "POST" })).json()) as {
          ticket: string;
          position: number;
        };
      for (const { ticket, position } of [await join(), await join()]) {
        const answer = await fetch(`${cache.origin}/rooms/other/tickets/me`, {
          headers: { authorization: `Bearer ${ticket}` },
        });
        expect(await answer.json()).toMatchObject({ position });
        expect(answer.headers.get("cache-control")).toBe("no-store");
      }
      expect((await fetch(`${cache.origin}/rooms/other/tickets/me`)).status).not.toBe(200);
    });

    test("files of pages come from the gateway once, whatever cookies ask for them; one that is missing is asked for each time", async () => {
      const { url } = world.relyingParty("tickets").startLogin();
      const { body: html } = await world.visitor().navigate(url);
      const files = [...html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, file = ""]) => file);
      expect(files).toHaveLength(3);
      for (const file of files) {
        const before = asked(file);
        for (const visitor of Array(20).keys()) {
          const answer = await fetch(cache.origin + file, { headers: { cookie: `usher-tickets=${visitor}` } });
          expect(answer.status).toBe(200);
          expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
          expect(answer.headers.get("set-cookie")).toBeNull();
          expect((await answer.text()).length).toBeGreaterThan(100);
        }
        await expect.poll(() => asked(file) - before).toBe(1);
      }
      const missing = "/assets/waiting-en-00000000.js";
      const before = asked(missing);
      for (let time = 0; time < 3; time++) {
        const answer = await fetch(cache.origin + missing);
        expect([answer.status, answer.headers.get("cache-control")]).toEqual([404, "no-store"]);
      }
      await expect.poll(() => asked(missing) - before).toBe(3);
    });
  });
}
