/** Tokens of one gateway at another one, on a shared Redis: good there, and refused once the admission has ended. */
import { decodeJwt } from "jose";
import { describe, expect, test } from "vitest";
import { redisStore } from "../redis-store.ts";
import { useWorld } from "../world.ts";

const site = "https://shop.example.test";

describe("two gateways", () => {
  const settings = { targets: [`${site}/*`], admission_token: { validity: "1h" } };
  const world = useWorld(() => ({ store: redisStore, gateways: 2, rooms: [{ id: "shop", settings }] }));
  const origin = (index: number) => world().gateways[index]?.origin ?? "";

  const verify = (index: number, path: string, cookie = "") =>
    world().http.get(`${origin(index)}/rooms/shop/verify`, {
      accept: "text/html",
      cookie,
      "x-forwarded-uri": path,
      "x-forwarded-host": "shop.example.test",
      "x-forwarded-proto": "https",
    });

  test("take each other's hand-overs, cookies and tickets, and hear of an end", async () => {
    const { admin, http } = world();
    await admin.increment("shop", 1);
    const handed = await world()
      .visitor()
      .login(`${origin(0)}/rooms/shop/enter?target=${site}/`, { stopAt: ({ origin }) => origin === site });
    const { search, searchParams } = handed.location ?? new URL(site);
    const { sub } = decodeJwt(searchParams.get("usher_token") ?? "");
    const [cookie = ""] = (await verify(1, `/${search}`)).setCookies[0]?.split(";") ?? [];
    expect((await verify(0, "/", cookie)).header("x-usher-sub")).toBe(sub);
    expect((await verify(1, "/", cookie)).header("x-usher-sub")).toBe(sub);

    await admin.request("PATCH", `/rooms/shop/admissions/${sub}`, { status: "revoked" });
    expect((await verify(0, "/", cookie)).status).toBe(302);
    await expect.poll(async () => (await verify(1, "/", cookie)).status).toBe(302);

    const { ticket } = (await http.request(`${origin(0)}/rooms/shop/tickets`, { method: "POST" })).json() as {
      ticket: string;
    };
    await admin.increment("shop", 1);
    const exchange = (index: number) =>
      http.request(`${origin(index)}/rooms/shop/tickets/me/token`, {
        method: "POST",
        headers: { authorization: `Bearer ${ticket}` },
      });
    await expect.poll(async () => (await exchange(1)).status).toBe(200);
    const tokens = [(await exchange(0)).json(), (await exchange(1)).json()] as { token: string }[];
    const subs = new Set(tokens.map(({ token }) => decodeJwt(token).sub));
    expect(subs.size).toBe(1);
    const { admissions } = (await admin.request("GET", "/rooms/shop/admissions")).json() as {
      admissions: { sub: string; logins: number }[];
    };
    expect(admissions.filter((each) => subs.has(each.sub))).toHaveLength(1);
  });
});
