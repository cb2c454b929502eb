/** Clients that are made, changed and deleted while the gateways run: what becomes of their visitors, and of themselves. */
import { afterAll, describe, expect, test } from "vitest";
import { codeIn } from "../../support/relying-party.ts";
import { createVisitor } from "../../support/visitor.ts";
import { within } from "../../support/within.ts";
import { ownDatabase } from "../redis-store.ts";
import { useWorld } from "../world.ts";
import {
  arrive,
  call,
  callback,
  create,
  errorOfToken,
  listed,
  partyOf,
  roomy,
  soon,
  syncedMs,
  via,
} from "./run-time-world.ts";

describe("two gateways on one Redis", () => {
  const redis = ownDatabase();
  const { store } = redis;
  const rooms = [
    { id: "tickets", inlet: roomy },
    { id: "checkout", inlet: roomy },
  ];
  const world = useWorld(() => ({ store, gateways: 2, rooms }));
  afterAll(() => {
    for (const gateway of world().gateways) expect(gateway.output()).not.toMatch(/uncaught|unhandled/i);
  });

  test("a client that is made at one logs visitors in at the other", async () => {
    const client = await create(world(), 0, { client_id: "made", profile: "alb" });
    expect(client).toMatchObject({
      source: "admin_api",
      status: "active",
      settings: { rooms: ["tickets"], login_timeout: "14m", refresh_tokens: true },
      secrets: [{ created_at: expect.any(String), expires_at: null }],
    });
    const party = partyOf(world(), 1, client);
    await within(syncedMs, async () => expect((await arrive(world(), 1, party)).hasCode).toBe(true));
    const tokens = await party.login(createVisitor({ http: via(world(), 1) }));
    expect(tokens.claims).toMatchObject({ room: "tickets", aud: "made" });
    expect((await partyOf(world(), 0, client).userinfo(tokens.accessToken)).status).toBe(200);
    const refreshed = await partyOf(world(), 0, client).refresh(tokens.refreshToken ?? "");
    expect(refreshed.status).toBe(200);

    const shown = await call(world(), 1, "GET", "/made");
    expect(shown.json()).toMatchObject({ client_id: "made", settings: client.settings });
    expect(shown.body).not.toContain(client.client_secret);
    expect(await listed(world(), 1)).toEqual(["made admin_api", "site-checkout file", "site-tickets file"]);
  });

  test("its addresses are those of the last change, at both", async () => {
    const client = await create(world(), 0, { client_id: "moving" });
    const [before, after] = [callback, "https://newer.example.test/callback"].map((uri) =>
      partyOf(world(), 0, client, uri),
    );
    if (before === undefined || after === undefined) throw new Error("no party");
    expect((await arrive(world(), 0, before)).hasCode).toBe(true);
    expect((await arrive(world(), 0, after)).page.status).toBe(400);

    const changed = await call(world(), 1, "PATCH", "/moving", { redirect_uris: [after.options.redirectUri] });
    expect([changed.status, changed.json()]).toMatchObject([
      200,
      { settings: { redirect_uris: [after.options.redirectUri], initiate_login_uri: "https://newer.example.test/" } },
    ]);
    await expect.poll(async () => (await arrive(world(), 0, after)).hasCode, soon).toBe(true);
    expect((await arrive(world(), 0, before)).page.status).toBe(400);
    expect((await arrive(world(), 1, partyOf(world(), 1, client))).page.status).toBe(400);
  });

  test("the visitors of a room that was taken off it log in no more, and neither do their refresh tokens", async () => {
    const client = await create(world(), 0, { client_id: "wandering", refresh_tokens: true });
    const party = partyOf(world(), 0, client);
    const { refreshToken = "" } = await party.login(createVisitor({ http: via(world(), 0) }));
    const { login, page } = await arrive(world(), 0, party);
    expect((await call(world(), 0, "PATCH", "/wandering", { room: "checkout" })).status).toBe(200);
    expect(await (await party.redeem(codeIn(page, login.state, world().issuer), login)).json()).toMatchObject({
      error: "invalid_grant",
    });
    expect((await party.refresh(refreshToken)).json()).toMatchObject({ error: "invalid_grant" });
    await call(world(), 0, "PATCH", "/wandering", { room: "tickets" });
    expect((await party.refresh(refreshToken)).status).toBe(200);
  });

  test("a new secret and the one before it work side by side, until the overlap is over", async () => {
    const client = await create(world(), 0, { client_id: "turning" });
    const answer = await call(world(), 0, "POST", "/turning/secret", { overlap: "8s" });
    const { client_secret, previous_secret_expires_at: end } = answer.json() as Record<string, string>;
    const party = (index: number, secret = "") =>
      partyOf(world(), index, { client_id: "turning", client_secret: secret });
    const errors = () =>
      Promise.all(
        [0, 1].flatMap((index) => [client.client_secret, client_secret].map((s) => errorOfToken(party(index, s)))),
      );
    await expect.poll(errors, soon).toEqual(["invalid_grant", "invalid_grant", "invalid_grant", "invalid_grant"]);
    expect(Date.parse(end ?? "") - Date.now()).toBeLessThanOrEqual(8_000);
    await expect
      .poll(errors, { interval: 500 })
      .toEqual(["invalid_client", "invalid_grant", "invalid_client", "invalid_grant"]);
    expect(world().gateways[0]?.output()).not.toContain(client_secret);
  });

  test("what it was given is worth nothing once it is deleted", async () => {
    const client = await create(world(), 0, { client_id: "leaving", refresh_tokens: true });
    const party = partyOf(world(), 0, client);
    const tokens = await party.login(createVisitor({ http: via(world(), 0) }));
    const { login, page } = await arrive(world(), 0, party);

    const deleted = await call(world(), 0, "DELETE", "/leaving");
    expect([deleted.status, deleted.body]).toEqual([204, ""]);
    expect(await (await party.redeem(codeIn(page, login.state, world().issuer), login)).json()).toMatchObject({
      error: "invalid_client",
    });
    expect((await party.refresh(tokens.refreshToken ?? "")).json()).toMatchObject({ error: "invalid_client" });
    expect((await party.userinfo(tokens.accessToken)).status).toBe(401);
    expect((await arrive(world(), 0, party)).page.status).toBe(400);
    await expect.poll(async () => (await arrive(world(), 1, party)).page.status, soon).toBe(400);
    expect((await call(world(), 1, "GET", "/leaving")).status).toBe(404);
  });

  test("what it was given is worth nothing to another one that is made with its id", async () => {
    const changes = { client_id: "again", refresh_tokens: true, token_endpoint_auth_method: "none" };
    const party = partyOf(world(), 0, await create(world(), 0, changes));
    const old = await party.login(createVisitor({ http: via(world(), 0) }));
    const { login, page } = await arrive(world(), 0, party);
    expect((await party.userinfo(old.accessToken)).status).toBe(200);
    const madeSec = Math.floor(Date.now() / 1_000);
    await expect.poll(() => Math.floor(Date.now() / 1_000), soon).toBeGreaterThan(madeSec);

    expect((await call(world(), 0, "DELETE", "/again")).status).toBe(204);
    const another = partyOf(world(), 0, await create(world(), 0, changes));
    const redeemed = await another.redeem(codeIn(page, login.state, world().issuer), login);
    expect(redeemed.json()).toMatchObject({ error: "invalid_grant" });
    expect((await another.refresh(old.refreshToken ?? "")).json()).toMatchObject({ error: "invalid_grant" });
    expect((await another.userinfo(old.accessToken)).status).toBe(401);
    const tokens = await another.login(createVisitor({ http: via(world(), 0) }));
    expect((await another.refresh(tokens.refreshToken ?? "")).status).toBe(200);
    expect((await another.userinfo(tokens.accessToken)).status).toBe(200);
  });

  test("an operator finds each change in the log, and no secret", async () => {
    const { client_id, client_secret } = await create(world(), 0, { client_id: "logged" });
    await call(world(), 0, "PATCH", "/logged", { profile: "apache" });
    await call(world(), 0, "POST", "/logged/secret");
    await call(world(), 0, "DELETE", "/logged");
    const lines = () =>
      (world().gateways[0]?.output() ?? "")
        .split("\n")
        .filter((line) => line.includes(`"client_id":"${client_id}"`))
        .map((line) => JSON.parse(line) as { event: string; admin: string })
        .map(({ event, admin }) => `${event} ${admin}`);
    await expect
      .poll(lines, soon)
      .toEqual(["client.created env", "client.updated env", "client.secret_rotated env", "client.deleted env"]);
    expect(world().gateways[0]?.output()).not.toContain(client_secret);
  });

  test("it outlives the store, and all gateways", async () => {
    const client = await create(world(), 0, { client_id: "lasting" });
    const login = async (index: number) => (await arrive(world(), index, partyOf(world(), index, client))).hasCode;
    await expect.poll(() => login(1), soon).toBe(true);
    await redis.database().reset();
    expect(await listed(world(), 1)).toContain("lasting admin_api");

    await Promise.all(world().gateways.map((gateway) => gateway.halt()));
    await redis.database().reset();
    await Promise.all(world().gateways.map((gateway) => gateway.start()));
    await Promise.all(world().gateways.map((gateway) => gateway.waitUntilReady()));
    for (const index of [0, 1]) {
      await expect.poll(() => login(index), { interval: 100 }).toBe(true);
      expect(await errorOfToken(partyOf(world(), index, client))).toBe("invalid_grant");
    }
    // While processes gather what they remember, nothing is changed.
    const patch = async () => (await call(world(), 0, "PATCH", "/lasting", { profile: "alb" })).status;
    await expect.poll(patch, { interval: 200 }).toBe(200);
  });
});
