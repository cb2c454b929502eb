// Long: has a crowd of attackers join at real gateways, three times.
/**
 * Goal: attackers have of a draw what the simulation says (test/fault/simulation/attackers.ts). Method: a twentieth of its honest visitors, and the
 * attackers at once, join at two gateways on one Redis, without a defence, with limits, and by invitation; the places are the real draw's.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Admin, createAdmin } from "../../support/admin.ts";
import { type Gateway, startGateways } from "../../support/gateway.ts";
import { createHttpClient } from "../../support/http-client.ts";
import { createInvitationSigner } from "../../support/invitations.ts";
import { type RedisServer, startRedis } from "../../support/redis-server.ts";

const soon = { timeout: 60_000, interval: 250 };
const secret = "secret-of-the-mailing-0123456789abcdef";
const [school, carrier] = ["198.51.100.1", "192.0.2.1"];
const ranges = [school, carrier].map((range) => ({ range, limit: { prequeue: "off" } }));
const homes = 400;
const [pupils, subscribers] = [50, 50];
const farm = 250;
const http = createHttpClient({ connectionsMax: 32 });

let redis: RedisServer;
let gateways: Gateway[];
let admin: Admin;
beforeAll(async () => {
  redis = await startRedis();
  const common = { draw: { order: "random" }, targets: ["https://shop.example.com/"] };
  gateways = await startGateways(2, {
    config: {
      store: { type: "redis", url: redis.url },
      listen: { trusted_proxies: ["127.0.0.1", "::1"] },
      rooms: [
        { id: "open", ...common, joins_per_address: "off" },
        { id: "limited", ...common, joins_per_address: { per_minute: 600, burst: 1_200, ranges } },
        { id: "invited", ...common, entry: "invited", invitations: { secret } },
      ],
      clients: [],
    },
  });
  admin = createAdmin(http, gateways[0]?.origin ?? "");
});
afterAll(async () => {
  http.close();
  await Promise.all((gateways ?? []).map((gateway) => gateway.stop()));
  await redis?.stop();
});

interface Try {
  readonly who: "honest" | "one address" | "one /48" | "farm" | "reseller";
  readonly address: string;
  /** Whose invitation it shows. */
  readonly key: string;
}

/** In an order in which everybody has a share of each moment. */
function tries(): Try[] {
  const all: Try[] = [];
  const add = (who: Try["who"], count: number, of: (nth: number) => Omit<Try, "who">) => {
    for (let nth = 0; nth < count; nth++) all.push({ who, ...of(nth) });
  };
  add("honest", homes, (nth) => ({ address: `20.0.${nth >> 8}.${nth & 255}`, key: `home-${nth}` }));
  add("honest", pupils, (nth) => ({ address: school, key: `pupil-${nth}` }));
  add("honest", subscribers, (nth) => ({ address: carrier, key: `subscriber-${nth}` }));
  add("one address", 400, () => ({ address: "203.0.113.9", key: "attacker-1" }));
  add("one /48", 400, (nth) => ({ address: `2001:db8:bad:${(nth * 163).toString(16)}::1`, key: "attacker-2" }));
  add("farm", farm * 11, (nth) => ({ address: `30.0.${(nth % farm) >> 8}.${(nth % farm) & 255}`, key: "attacker-3" }));
  add("reseller", 60, (nth) => ({ address: `203.0.115.${nth % 3}`, key: `bought-${nth % 5}` }));
  return all
    .map((each, at) => ({ each, turn: (at * 7_919) % all.length }))
    .toSorted((a, b) => a.turn - b.turn)
    .map(({ each }) => each);
}

async function attack(room: string) {
  const isByKey = room === "invited";
  const signer = createInvitationSigner({ issuer: gateways[0]?.issuer ?? "", room, secret });
  const expiresAt = new Date(Date.now() + 3_600_000);
  await admin.step(room, "prequeue");
  for (const gateway of gateways) {
    const url = `${gateway.origin}/rooms/${room}/draw`;
    const first = async () =>
      ((await http.get(url, { accept: "application/json" })).json() as { draws?: { first?: number }[] }).draws?.at(-1)
        ?.first;
    await expect.poll(first, soon).toBe(1);
  }
  const tickets = new Map<string, Try["who"]>();
  const refused = new Map<Try["who"], number>();
  const places = new Map<string, string>();
  const all = tries();
  let next = 0;
  const work = async () => {
    for (let at = next++; at < all.length; at = next++) {
      const { who, address, key } = all[at] as Try;
      const gateway = gateways[at % gateways.length] as Gateway;
      const invitation = isByKey ? await signer.sign({ key, expiresAt }) : null;
      const answer = await http.request(`${gateway.origin}/rooms/${room}/tickets`, {
        method: "POST",
        headers: { "x-forwarded-for": address, ...(isByKey && { "content-type": "application/json" }) },
        ...(isByKey && { body: JSON.stringify({ invitation }) }),
      });
      if (answer.status === 201 || answer.status === 200) {
        const { ticket } = answer.json() as { ticket: string };
        // The same person is shown the same entry.
        const name = isByKey ? key : ticket;
        if (!places.has(name)) tickets.set(ticket, who);
        places.set(name, ticket);
      } else refused.set(who, (refused.get(who) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: 32 }, work));
  await admin.step(room, "open");
  for (const gateway of gateways) {
    const drawn = async () =>
      (
        (await http.get(`${gateway.origin}/rooms/${room}/draw`, { accept: "application/json" })).json() as {
          draws: { stage: string }[];
        }
      ).draws.at(-1)?.stage;
    await expect.poll(drawn, soon).toBe("drawn");
  }
  const positions: { who: Try["who"]; position: number }[] = [];
  const left = [...tickets];
  const ask = async () => {
    for (let each = left.pop(); each !== undefined; each = left.pop()) {
      const [ticket, who] = each;
      const url = `${gateways[left.length % gateways.length]?.origin}/rooms/${room}/tickets/me`;
      const answer = await http.request(url, { headers: { authorization: `Bearer ${ticket}` } });
      positions.push({ who, position: (answer.json() as { position: number }).position });
    }
  };
  await Promise.all(Array.from({ length: 32 }, ask));
  const of = (who: Try["who"]) => positions.filter((each) => each.who === who);
  const first = Math.round(positions.length / 10);
  return {
    entries: (who: Try["who"]) => of(who).length,
    share: (who: Try["who"]) => of(who).length / positions.length,
    /** Of the first tenth of the places. */
    shareOfFirst: (who: Try["who"]) => of(who).filter(({ position }) => position <= first).length / first,
    refused: (who: Try["who"]) => refused.get(who) ?? 0,
    positions: positions.map(({ position }) => position).toSorted((a, b) => a - b),
  };
}

const honest = homes + pupils + subscribers;
const close = (share: number, to: number) => expect(Math.abs(share - to)).toBeLessThan(0.08);

test("without a defence each try is an entry", async () => {
  const { entries, share, shareOfFirst, positions } = await attack("open");
  expect(["honest", "one address", "one /48", "farm", "reseller"].map((who) => entries(who as Try["who"]))).toEqual([
    honest,
    400,
    400,
    farm * 11,
    60,
  ]);
  expect(positions).toEqual(positions.map((_, index) => index + 1));
  close(shareOfFirst("farm"), share("farm"));
});

test("with limits, at two gateways together, an address has ten entries and a /48 eighty; nobody honest is refused where ranges are named", async () => {
  const { entries, share, shareOfFirst, refused, positions } = await attack("limited");
  expect(refused("honest")).toBe(0);
  expect(["honest", "one address", "one /48", "farm", "reseller"].map((who) => entries(who as Try["who"]))).toEqual([
    honest,
    10,
    80,
    farm * 10,
    30,
  ]);
  expect(positions).toEqual(positions.map((_, index) => index + 1));
  close(shareOfFirst("farm"), share("farm"));
  expect(shareOfFirst("one address")).toBeLessThan(0.03);
});

test("by invitation each attacker has as many entries as identities", async () => {
  const { entries, refused, positions } = await attack("invited");
  expect(["honest", "one address", "one /48", "farm", "reseller"].map((who) => entries(who as Try["who"]))).toEqual([
    honest,
    1,
    1,
    1,
    5,
  ]);
  expect(refused("honest")).toBe(0);
  expect(positions).toEqual(positions.map((_, index) => index + 1));
});
