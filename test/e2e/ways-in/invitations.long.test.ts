// Long: each rule of invitations, over losses of the store; two-gateways.test.ts has the main path and the main refusal.
/**
 * One place for each person: invitations by links, by logins and by the JSON API, at two gateways, in several browsers at once, over a store
 * that is emptied and gateways that are started again.
 */
import { Redis } from "ioredis";
import * as oidc from "openid-client";
import { describe, expect, test } from "vitest";
import { type Admin, createAdmin } from "../../support/admin.ts";
import { createInvitationSigner, type Invited } from "../../support/invitations.ts";
import type { Page, Visitor } from "../../support/visitor.ts";
import { ownDatabase } from "../redis-store.ts";
import { clientId, clientSecret, memoryStore, redirectUri, useWorld, type World } from "../world.ts";

const secret = "secret-of-the-mailing-0123456789abcdef";
const target = "https://shop.example.test/";
const classes = [{ id: "members" }, { id: "friends", opens_at: "2099-01-01T10:00:00Z" }];
const invited = { entry: "invited", invitations: { secret, classes }, targets: [target] };
const inAnHour = () => new Date(Date.now() + 3_600_000);

const signer = (world: World, room: string, key = secret) =>
  createInvitationSigner({ issuer: world.issuer, room, secret: key });
const linkFor = (world: World, room: string, key: string, part: Partial<Invited> = {}) =>
  signer(world, room).link({ key, expiresAt: inAnHour(), ...part });
const countsOf = async (admin: Admin, room: string) =>
  ((await admin.request("GET", `/rooms/${room}`)).json() as { counts: Record<string, number> }).counts;
const isOutside = (world: World) => (location: URL) => location.origin !== world.issuer;
const open = async (world: World, visitor: Visitor, link: string): Promise<Page> =>
  visitor.navigate(link, { stopAt: isOutside(world) });

describe("a room that is entered by invitation", () => {
  const world = useWorld(() => ({
    store: memoryStore,
    rooms: ["links", "logins", "json", "classes", "others", "away", "pushed"].map((id) => ({
      id,
      settings: invited,
      client: { require_pushed_authorization_requests: id === "pushed" },
    })),
  }));

  const join = (room: string, body?: object, gateway = 0) =>
    world().http.request(`${world().gateways[gateway]?.origin}/rooms/${room}/tickets`, {
      method: "POST",
      ...(body && { body }),
    });

  test("gives no place to who comes without one, by a link, a login or the JSON API", async () => {
    for (const url of [`${world().issuer}/rooms/links/enter`, world().relyingParty("links").startLogin().url]) {
      const page = await open(world(), world().visitor(), String(url));
      expect([page.status, page.notice, page.position]).toEqual([403, "uninvited", undefined]);
    }
    const answer = await join("links");
    expect([answer.status, answer.json()]).toEqual([403, expect.objectContaining({ error: "uninvited" })]);
  });

  test("takes the invitation out of the link's address, and gives the same place in each browser", async () => {
    const link = await linkFor(world(), "links", "ann@example.com");
    const [laptop, phone, other] = [world().visitor(), world().visitor(), world().visitor()];
    const parked = await open(world(), laptop, link);
    expect([parked.status, parked.position, parked.state]).toEqual([200, 1, "waiting"]);
    expect(parked.url.search).not.toContain("invitation");
    expect(parked.body).not.toContain("/move");
    expect((await open(world(), other, await linkFor(world(), "links", "bob@example.com"))).position).toBe(2);
    expect((await open(world(), phone, link)).position).toBe(1);
    expect((await open(world(), laptop, parked.url.href)).position).toBe(1);
    await world().admin.increment("links", 2);
    const [first, second] = [
      await laptop.login(parked.url, { stopAt: isOutside(world()) }),
      await open(world(), phone, link),
    ];
    for (const page of [first, second]) expect(page.location?.href).toContain(`${target}?usher_token=`);
    await expect.poll(() => countsOf(world().admin, "links")).toMatchObject({ joined: 2, entered: 1 });
  });

  test("takes the parameter of a login, of which nothing stands in the address afterwards", async () => {
    const { url } = world().relyingParty("logins").startLogin();
    const token = await signer(world(), "logins").sign({ key: "ann", expiresAt: inAnHour() });
    const visitor = world().visitor();
    const parked = await open(world(), visitor, `${url}&invitation=${token}`);
    expect([parked.position, parked.url.searchParams.has("invitation")]).toEqual([1, false]);
    await world().admin.increment("logins", 1);
    const back = await visitor.login(parked.url, { stopAt: isOutside(world()) });
    expect(back.location?.searchParams.get("code")).toEqual(expect.any(String));
  });

  test("takes it out of a request that was pushed", async () => {
    const issuer = new URL(world().issuer);
    const options = { execute: [oidc.allowInsecureRequests] };
    const config = await oidc.discovery(issuer, clientId("pushed"), clientSecret("pushed"), undefined, options);
    const invitation = await signer(world(), "pushed").sign({ key: "bob", expiresAt: inAnHour() });
    const parameters = { redirect_uri: redirectUri("pushed"), scope: "openid", state: "s", invitation };
    const url = await oidc.buildAuthorizationUrlWithPAR(config, parameters);
    expect(url.href).not.toContain(invitation);
    const visitor = world().visitor();
    expect((await open(world(), visitor, url.href)).state).toBe("waiting");
    expect(visitor.cookie("usher-pushed.key")?.value).toEqual(expect.any(String));
  });

  test("takes it from apps, and says no more of a bad one than that", async () => {
    const good = await signer(world(), "json").sign({ key: "ann", expiresAt: inAnHour() });
    const both = await Promise.all([join("json", { invitation: good }), join("json", { invitation: good })]);
    expect(both.map(({ status }) => status)).toEqual([201, 201]);
    expect(new Set(both.map((answer) => (answer.json() as { position: number }).position))).toEqual(new Set([1]));
    const elsewhere = await signer(world(), "links").sign({ key: "ann", expiresAt: inAnHour() });
    const forged = await signer(world(), "json", "another-secret-0123456789abcdef-xyz").sign({
      key: "ann",
      expiresAt: inAnHour(),
    });
    for (const invitation of [elsewhere, forged, "x", `${good}x`, good.replace(/\.[^.]*$/, ".")]) {
      const answer = await join("json", { invitation });
      expect([answer.status, answer.json()]).toEqual([
        403,
        { error: "invalid_invitation", error_description: "this is not a valid invitation to this room" },
      ]);
    }
    expect((await join("json", { invitation: "x".repeat(5_000) })).status).toBe(400);
    expect(
      (await open(world(), world().visitor(), `${world().issuer}/rooms/json/enter?invitation=${forged}`)).notice,
    ).toBe("invalid_invitation");
  });

  test("tells a class whose time has not come when that is, and lets another one join", async () => {
    const early = await linkFor(world(), "classes", "carl", { class: "friends" });
    const page = await open(world(), world().visitor(), early);
    expect([page.status, page.notice]).toEqual([403, "invitation_early"]);
    expect(page.body).toContain("2099-01-01T10:00:00.000Z");
    const token = new URL(early).searchParams.get("invitation") ?? "";
    const answer = await join("classes", { invitation: token });
    expect([answer.status, answer.json()]).toEqual([
      403,
      expect.objectContaining({ error: "invitation_early", opens_at: "2099-01-01T10:00:00.000Z" }),
    ]);
    const member = await linkFor(world(), "classes", "dora", { class: "members" });
    expect((await open(world(), world().visitor(), member)).position).toBe(1);
    const unknown = await linkFor(world(), "classes", "dora", { class: "press" });
    expect((await open(world(), world().visitor(), unknown)).notice).toBe("invalid_invitation");
  });

  test("gives each of two people in one browser their own place, and the first one theirs again", async () => {
    const [ann, bob] = [await linkFor(world(), "others", "ann"), await linkFor(world(), "others", "bob")];
    const shared = world().visitor();
    expect((await open(world(), shared, ann)).position).toBe(1);
    expect((await open(world(), shared, bob)).position).toBe(2);
    expect((await open(world(), shared, ann)).position).toBe(1);
    await expect.poll(() => countsOf(world().admin, "others")).toMatchObject({ joined: 2 });
  });

  test("gives the next place to who has left, and to nobody else", async () => {
    const link = await linkFor(world(), "away", "ann");
    const visitor = world().visitor();
    await open(world(), visitor, link);
    expect((await visitor.fetch(`${world().issuer}/rooms/away/tickets/me`, { method: "DELETE" })).status).toBe(204);
    expect((await open(world(), visitor, link)).position).toBe(2);
    expect((await open(world(), world().visitor(), link)).position).toBe(2);
  });
});

describe("one place for each key at two gateways", () => {
  const { store, database } = ownDatabase();
  const started = useWorld(() => ({ store, gateways: 2, rooms: [{ id: "shop", settings: invited }] }));
  const keys = Array.from({ length: 12 }, (_, index) => `customer-${index}`);
  const places = new Map<string, number>();

  async function placeOf(key: string, gateway: number): Promise<number> {
    const world = started();
    const invitation = await signer(world, "shop").sign({ key, expiresAt: inAnHour() });
    const answer = await world.http.request(`${world.gateways[gateway]?.origin}/rooms/shop/tickets`, {
      method: "POST",
      body: { invitation },
    });
    return answer.status === 201 ? (answer.json() as { position: number }).position : 0;
  }
  const settled = (key: string, gateway: number) =>
    expect.poll(() => placeOf(key, gateway), { timeout: 60_000, interval: 200 });

  async function expectSamePlaces(): Promise<void> {
    for (const [index, key] of keys.entries()) await settled(key, index % 2).toBe(places.get(key));
    const other = createAdmin(started().http, started().gateways[1]?.operatorsOrigin ?? "");
    await expect.poll(() => countsOf(other, "shop")).toMatchObject({ joined: keys.length });
  }

  test("whichever of them is asked at the same instant", async () => {
    const asked = keys.flatMap((key) =>
      [0, 1, 0, 1].map(async (gateway) => [key, await placeOf(key, gateway)] as const),
    );
    for (const [key, place] of await Promise.all(asked)) {
      expect(places.get(key) ?? place).toBe(place);
      places.set(key, place);
    }
    expect([...places.values()].toSorted((a, b) => a - b)).toEqual(keys.map((_, index) => index + 1));
  });

  test("after the store was emptied", async () => {
    await database().reset();
    await expectSamePlaces();
  });

  test("after all gateways were stopped, the store was emptied, and they were started again", async () => {
    const { gateways } = started();
    for (const gateway of gateways) await gateway.halt();
    await database().reset();
    for (const gateway of gateways) await gateway.start();
    for (const gateway of gateways) await gateway.waitUntilReady();
    await expectSamePlaces();
  });

  test("costs the store so much memory for each key as is said, and nothing without keys", async () => {
    const client = new Redis(database().url);
    try {
      const key = "usher:{shop}:keyed_places";
      expect(await client.zcard(key)).toBe(keys.length);
      const crowd = "usher:{crowd}:keyed_places";
      for (let from = 0; from < 20_000; from += 1_000) {
        const members = Array.from({ length: 1_000 }, (_, index) => [
          from + index + 1,
          `${from + index}`.padEnd(22, "x"),
        ]);
        await client.zadd(crowd, ...members.flat());
      }
      const bytes = Number(await client.memory("USAGE", crowd, "SAMPLES", 0)) / 20_000;
      expect(bytes).toBeLessThan(140);
    } finally {
      client.disconnect();
    }
  });
});
