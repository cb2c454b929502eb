/**
 * Slots of `max_active` that are held without a visit to the site: two gateways on one Redis, real logins whose codes nobody redeems, and
 * visitors whom a client or a site behind forward authentication has seen.
 */
import { describe, expect, test } from "vitest";
import { redisStore } from "../redis-store.ts";
import { useWorld } from "../world.ts";

const site = "https://shop.example.test/";
const admission = { first_visit_within: "10s", duration: "10m" };
interface Token {
  readonly token?: string;
  readonly ticket?: string;
}
const patience = { timeout: 30_000, interval: 250 };

describe("an admission that never came to the site", () => {
  const world = useWorld(() => ({
    store: redisStore,
    gateways: 2,
    rooms: [{ id: "held", inlet: { type: "max_active", max_active: 2 }, admission, settings: { targets: [site] } }],
  }));
  const listed = async () => {
    const { admissions } = (await world().admin.request("GET", "/rooms/held/admissions")).json() as {
      admissions: { sub: string; status: string; visit_by: string | null }[];
    };
    return admissions;
  };
  const statusOf = async (sub: string) => (await listed()).find((each) => each.sub === sub)?.status;

  test("ends in time and makes room; those that a client or a site has seen go on", { timeout: 60_000 }, async () => {
    const rp = world().relyingParty("held");
    // Both slots are taken by programs that are content to hold them: their codes are redeemed by nobody.
    const codes = [];
    for (let count = 0; count < 2; count++) {
      const login = rp.startLogin();
      const answer = await world().visitor().navigate(login.url, { stopAt: rp.isCallback });
      codes.push({ login, answer });
    }
    const held = await listed();
    expect(held.map(({ status, visit_by }) => [status, visit_by === null])).toEqual([
      ["live", false],
      ["live", false],
    ]);

    const customer = world().visitor();
    const login = rp.startLogin();
    const parked = await customer.navigate(login.url, { stopAt: rp.isCallback });
    expect(parked.status).toBe(200);
    const rooms = `${world().issuer}/rooms/held`;
    const { ticket = "" } = (await world().http.request(`${rooms}/tickets`, { method: "POST" })).json() as Token;
    await expect.poll(() => statusOf(held[0]?.sub ?? ""), patience).toBe("abandoned");
    await expect.poll(() => statusOf(held[1]?.sub ?? ""), patience).toBe("abandoned");

    // A code of an admission that is over is worth nothing.
    const [first] = codes;
    if (first === undefined) throw new Error("no code");
    const late = await rp.redeem(first.answer.location?.searchParams.get("code") ?? "", first.login);
    expect([late.status, (late.json() as { error: string }).error]).toEqual([400, "invalid_grant"]);

    const { claims } = await rp.finishLogin(await customer.waitInLine(parked, { stopAt: rp.isCallback }), login);
    expect((await listed()).find(({ sub }) => sub === claims.sub)).toMatchObject({ status: "live", visit_by: null });

    // By the JSON API: a token that no site has seen, until the site's proxy asks about it.
    const claimed = async () => {
      const headers = { authorization: `Bearer ${ticket}` };
      return (await world().http.request(`${rooms}/tickets/me/token`, { method: "POST", headers })).json() as Token;
    };
    await expect.poll(async () => (await claimed()).token, patience).toBeDefined();
    const { token = "" } = await claimed();
    const [app] = (await listed()).filter(({ sub, status }) => status === "live" && sub !== claims.sub);
    expect(app?.visit_by).not.toBeNull();
    const checked = await world().http.get(`${world().gateways[1]?.origin}/rooms/held/verify`, {
      cookie: `usher-held.admission=${token}`,
      "x-forwarded-uri": "/",
      "x-forwarded-host": "shop.example.test",
      "x-forwarded-proto": "http",
    });
    expect(checked.status).toBe(200);
    expect((await listed()).find(({ sub }) => sub === app?.sub)?.visit_by).toBeNull();

    const seen = Date.now();
    await expect.poll(() => Date.now() - seen, patience).toBeGreaterThan(11_000);
    expect(await statusOf(String(claims.sub))).toBe("live");
    expect(await statusOf(app?.sub ?? "")).toBe("live");
  });
});
