/**
 * Places that are bound to the browser: at two gateways on one Redis, with everything copied that a thief can copy, proofs of every wrong
 * kind, apps, browsers without keys, and a store that is emptied.
 */
import { afterAll, describe, expect, test } from "vitest";
import { createDeviceKey, type DeviceKey, type ProofOptions } from "../../support/device-key.ts";
import type { HttpResponse } from "../../support/http-client.ts";
import { attribute, type Page, type Visitor } from "../../support/visitor.ts";
import { queued } from "../line.ts";
import { ownDatabase } from "../redis-store.ts";
import { useWorld } from "../world.ts";

const redis = ownDatabase();
const { store } = redis;
const required = { device_binding: "required", targets: ["https://shop.example.test/"] };
const rooms = [
  { id: "shop", settings: required },
  { id: "copied", settings: required },
  { id: "link", settings: required },
  { id: "proofs", settings: required },
  { id: "elsewhere", settings: required },
  { id: "apps", settings: required },
  { id: "silent", settings: required },
  { id: "lost", settings: required },
  { id: "desk", settings: required },
  { id: "practice", settings: { ...required, rehearsal: true } },
  { id: "offered", settings: { device_binding: "offered", targets: ["https://shop.example.test/"] } },
  { id: "later", settings: {} },
];
const world = useWorld(() => ({ store, gateways: 2, rooms }));
const secrets: string[] = [];

afterAll(() => {
  for (const gateway of world().gateways) {
    expect(gateway.output()).not.toMatch(/uncaught|unhandled/i);
    for (const secret of secrets) expect(gateway.output()).not.toContain(secret);
  }
});

const deviceUrl = (room: string) => new URL(`/rooms/${room}/device`, world().issuer);
const nonceOn = (page: HttpResponse) => attribute(page.body, "data-nonce") ?? "";
const serve = (room: string, count: number) => world().admin.increment(room, count);
const startOf = (room: string) => world().relyingParty(room).startLogin();
const isOutside = (location: URL) => location.origin !== world().issuer;
const open = (visitor: Visitor, url: string | URL, from?: URL) =>
  visitor.navigate(url, { stopAt: isOutside, ...(from && { from }) });

function post(visitor: Visitor, room: string, form: Record<string, string>): Promise<HttpResponse> {
  const url = deviceUrl(room);
  return visitor.fetch(url, { method: "POST", from: url, body: new URLSearchParams(form) });
}

/** As the page's script does: signs, posts that, and loads the page anew. */
async function prove(visitor: Visitor, room: string, page: Page, key: DeviceKey): Promise<Page> {
  expect([page.status, page.notice]).toEqual([403, "device_required"]);
  const proof = await key.prove(deviceUrl(room), nonceOn(page));
  secrets.push(proof);
  expect((await post(visitor, room, { proof })).status).toBe(204);
  return open(visitor, page.url, page.url);
}

/** A visitor with a place that is bound to this key. */
async function join(room: string, key: DeviceKey): Promise<{ visitor: Visitor; parked: Page }> {
  const visitor = world().visitor();
  const parked = await prove(visitor, room, await open(visitor, startOf(room).url), key);
  expect(parked.position).toBeGreaterThan(0);
  return { visitor, parked };
}

const codeOf = (page: Page) => page.location?.searchParams.get("code");

test("a visitor proves the key before the place and before the login, and gets in by it", async () => {
  const rp = world().relyingParty("shop");
  const visitor = world().visitor();
  const key = await createDeviceKey();
  const login = rp.startLogin();
  const asked = await open(visitor, login.url);
  expect(asked.header("content-security-policy")).toMatch(/script-src 'sha256-[^']+'; connect-src 'self'/);
  expect(await queued(world(), "shop")).toBe(0);
  const parked = await prove(visitor, "shop", asked, key);
  expect(parked.position).toBe(1);
  // Who waits is not asked, once the proof is forgotten.
  visitor.jar.delete("usher-shop.device");
  expect((await open(visitor, parked.url)).position).toBe(1);
  await serve("shop", 1);
  await expect.poll(async () => (await open(visitor, parked.url)).notice).toBe("device_required");
  const entered = await prove(visitor, "shop", await open(visitor, parked.url), key);
  const tokens = await rp.redeem(codeOf(entered) ?? "", login);
  expect(tokens.status).toBe(200);
  // The next login takes a proof of its own.
  expect((await open(visitor, startOf("shop").url)).notice).toBe("device_required");
});

test("whoever copies every cookie gets no login by another request, with a key of their own or without", async () => {
  const key = await createDeviceKey();
  const { visitor } = await join("copied", key);
  await serve("copied", 1);
  await expect.poll(async () => (await open(visitor, startOf("copied").url)).notice).toBe("device_required");
  // Just proven, for the login of the visitor.
  const asked = await open(visitor, startOf("copied").url);
  const shown = await key.prove(deviceUrl("copied"), nonceOn(asked));
  expect((await post(visitor, "copied", { proof: shown })).status).toBe(204);
  const names = ["usher-copied", "usher-copied.device"];
  const cookie = names.map((name) => `${name}=${visitor.cookie(name)?.value}`).join("; ");
  const thief = world().visitor({ headers: { cookie }, acceptsCookies: false });
  const page = await open(thief, startOf("copied").url);
  expect([page.notice, codeOf(page)]).toEqual(["device_required", undefined]);
  // A browser that took the cookies over, with a key of its own.
  const buyer = world().visitor();
  const ticket = visitor.cookie("usher-copied")?.value ?? "";
  const withTicket = { headers: { cookie: `usher-copied=${ticket}` } };
  const theirs = await buyer.navigate(startOf("copied").url, { stopAt: isOutside, ...withTicket });
  const proof = await (await createDeviceKey()).prove(deviceUrl("copied"), nonceOn(theirs));
  expect((await post(buyer, "copied", { proof })).status).toBe(204);
  const pass = buyer.cookie("usher-copied.device")?.value;
  const refused = await world()
    .visitor({ headers: { cookie: `usher-copied=${ticket}; usher-copied.device=${pass}` }, acceptsCookies: false })
    .navigate(theirs.url, { stopAt: isOutside });
  expect([refused.notice, codeOf(refused)]).toEqual(["other_device", undefined]);
  expect(await proofsCounted("copied", "other")).toBe(1);
  // And the visitor gets in.
  expect(codeOf(await open(visitor, asked.url))).toBeTruthy();
});

test("links take a proof, too, and their place is moved by none", async () => {
  const key = await createDeviceKey();
  const visitor = world().visitor();
  const link = `${world().issuer}/rooms/link/enter?target=${encodeURIComponent("https://shop.example.test/")}`;
  const parked = await prove(visitor, "link", await open(visitor, link), key);
  expect(parked.position).toBe(1);
  const moved = await visitor.fetch(`${world().issuer}/rooms/link/move`, { method: "POST", from: parked.url });
  expect([moved.status, (moved.json() as { error: string }).error]).toEqual([409, "move_spent"]);
  visitor.jar.delete("usher-link.device");
  await serve("link", 1);
  await expect.poll(async () => (await open(visitor, link)).notice).toBe("device_required");
  const entered = await prove(visitor, "link", await open(visitor, link), key);
  expect(entered.location?.searchParams.get("usher_token")).toBeTruthy();
});

describe("a proof counts for nothing", () => {
  async function refused(make: (nonce: string, url: URL) => Promise<string>): Promise<void> {
    const visitor = world().visitor();
    const page = await open(visitor, startOf("proofs").url);
    const answer = await post(visitor, "proofs", { proof: await make(nonceOn(page), deviceUrl("proofs")) });
    expect([answer.status, (answer.json() as { error: string }).error]).toEqual([403, "device_required"]);
    expect(visitor.cookie("usher-proofs.device")).toBeUndefined();
    expect(await queued(world(), "proofs")).toBe(0);
  }

  test.each<[string, ProofOptions]>([
    ["of another type", { header: { typ: "JWT" } }],
    ["without a key", { header: { jwk: undefined } }],
    ["for another method", { claims: { htm: "GET" } }],
    ["for another address", { claims: { htu: "https://wait.example.com/rooms/proofs/device" } }],
    ["for a nonce that is none", { claims: { nonce: "key.payload.mac" } }],
    ["for a nonce that is no text", { claims: { nonce: 1 as unknown as string } }],
    ["that is over", { claims: { exp: 1 } }],
    ["that is longer than any", { claims: { more: "A".repeat(2_000) } }],
  ])("%s", async (_, changes) => {
    const key = await createDeviceKey();
    await refused((nonce, url) => key.prove(url, nonce, changes));
  });

  test("with another algorithm, a secret key, a signature of another key, or none", async () => {
    await refused(async (nonce, url) => (await createDeviceKey("ES384")).prove(url, nonce));
    await refused(async (nonce, url) => (await createDeviceKey("RS256")).prove(url, nonce));
    const [mine, other] = [await createDeviceKey(), await createDeviceKey()];
    await refused(async (nonce, url) => {
      const [header = ""] = (await other.prove(url, nonce)).split(".");
      const [, claims, signature] = (await mine.prove(url, nonce)).split(".");
      return [header, claims, signature].join(".");
    });
    const unsigned = { typ: "dpop+jwt", alg: "none" };
    await refused(async (nonce, url) => {
      const claims = Buffer.from(JSON.stringify({ htm: "POST", htu: String(url), nonce })).toString("base64url");
      return `${Buffer.from(JSON.stringify(unsigned)).toString("base64url")}.${claims}.`;
    });
    await refused(async () => "");
  });

  test("for the nonce of another room, or for another login", async () => {
    const key = await createDeviceKey();
    const elsewhere = await open(world().visitor(), startOf("elsewhere").url);
    await refused((_, url) => key.prove(url, nonceOn(elsewhere)));
    // A proof of one login is a place, and no login of another.
    const { visitor } = await join("elsewhere", key);
    await serve("elsewhere", 1);
    await expect.poll(async () => (await open(visitor, startOf("elsewhere").url)).notice).toBe("device_required");
  });

  test("sent by another site's page; and nobody is led elsewhere by the button", async () => {
    const visitor = world().visitor();
    const page = await open(visitor, startOf("proofs").url);
    const proof = await (await createDeviceKey()).prove(deviceUrl("proofs"), nonceOn(page));
    const headers = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    const body = new URLSearchParams({ proof });
    const stranger = await visitor.fetch(deviceUrl("proofs"), { method: "POST", body, headers });
    expect([stranger.status, stranger.setCookies]).toEqual([403, []]);
    const offered = await post(visitor, "offered", { return: "https://evil.example/" });
    expect([offered.status, offered.setCookies]).toEqual([400, []]);
    // Where a key is required, there is no button.
    const without = await post(visitor, "proofs", { return: `${page.url.pathname}${page.url.search}` });
    expect([without.status, without.setCookies]).toEqual([403, []]);
    expect((await post(visitor, "later", { proof })).status).toBe(404);
  });
});

describe("an app", () => {
  const tickets = (room: string) => `${world().issuer}/rooms/${room}/tickets`;
  const send = (gateway: number, path: string, headers: Record<string, string>) =>
    world().http.request(`${world().gateways[gateway]?.origin}${path}`, { method: "POST", headers });
  const take = (room: string, dpop?: string) => send(0, `/rooms/${room}/tickets`, dpop === undefined ? {} : { dpop });
  const exchange = (room: string, ticket: string, dpop?: string) =>
    send(1, `/rooms/${room}/tickets/me/token`, {
      authorization: `Bearer ${ticket}`,
      ...(dpop !== undefined && { dpop }),
    });
  const outcome = (answer: HttpResponse) => [answer.status, (answer.json() as { error?: string }).error];

  test("shows DPoP proofs for nonces that it is told, at any gateway; another key gets nothing for its ticket", async () => {
    const [key, other] = [await createDeviceKey(), await createDeviceKey()];
    const refused = await take("apps");
    expect(outcome(refused)).toEqual([401, "device_required"]);
    expect(refused.header("www-authenticate")).toContain('DPoP realm="apps", error="use_dpop_nonce", algs="ES256"');
    const nonce = refused.header("dpop-nonce") ?? "";
    expect((refused.json() as { dpop_nonce: string }).dpop_nonce).toBe(nonce);
    expect(await queued(world(), "apps")).toBe(0);
    // For another request than this.
    expect(outcome(await take("apps", await key.prove(`${tickets("apps")}/me/token`, nonce)))[0]).toBe(401);
    const taken = await take("apps", await key.prove(tickets("apps"), nonce));
    const { ticket } = taken.json() as { ticket: string };
    expect(taken.status).toBe(201);
    // Asking for the place takes no proof.
    const told = await world().http.request(`${tickets("apps")}/me`, {
      headers: { authorization: `Bearer ${ticket}` },
    });
    expect(told.status).toBe(200);
    await serve("apps", 1);
    await expect.poll(async () => outcome(await exchange("apps", ticket))).toEqual([401, "device_required"]);
    const [url, next] = [`${tickets("apps")}/me/token`, (await exchange("apps", ticket)).header("dpop-nonce") ?? ""];
    expect(outcome(await exchange("apps", ticket, await other.prove(url, next)))).toEqual([403, "other_device"]);
    const given = await exchange("apps", ticket, await key.prove(url, next));
    const { token, ticket: renewed } = given.json() as { token: string; ticket: string };
    expect([given.status, typeof token]).toEqual([200, "string"]);
    // The ticket that replaces it is bound to the same key.
    expect(outcome(await exchange("apps", renewed))).toEqual([401, "device_required"]);
    expect(outcome(await exchange("apps", renewed, await other.prove(url, next)))).toEqual([403, "other_device"]);
    expect((await exchange("apps", renewed, await key.prove(url, next))).status).toBe(200);
  });

  test("may go without where it is offered; a proof that does not count is no way to do so", async () => {
    const key = await createDeviceKey();
    const free = (await take("offered")).json() as { ticket: string };
    expect(outcome(await take("offered", await key.prove(tickets("offered"), "none")))).toEqual([
      401,
      "device_required",
    ]);
    const nonce = (await take("offered", "none")).header("dpop-nonce") ?? "";
    const bound = (await take("offered", await key.prove(tickets("offered"), nonce))).json() as { ticket: string };
    await serve("offered", 2);
    await expect.poll(async () => (await exchange("offered", free.ticket)).status).toBe(200);
    expect(outcome(await exchange("offered", bound.ticket))).toEqual([401, "device_required"]);
  });
});

test("a browser without a key goes on by the button where it is offered, and nobody else's key is asked of it", async () => {
  const visitor = world().visitor();
  const asked = await open(visitor, startOf("offered").url);
  expect(asked.body).toContain('action="/rooms/offered/device"');
  const url = deviceUrl("offered");
  const back = `${asked.url.pathname}${asked.url.search}`;
  const parked = await visitor.navigate(url, {
    method: "POST",
    body: new URLSearchParams({ return: back }),
    headers: { origin: world().issuer },
    from: asked.url,
  });
  expect(parked.position).toBeGreaterThan(0);
  visitor.jar.delete("usher-offered.device");
  await serve("offered", 1);
  await expect.poll(async () => codeOf(await open(visitor, parked.url))).toBeTruthy();
});

test("a silent login is none for a place that is bound", async () => {
  const key = await createDeviceKey();
  const { visitor, parked } = await join("silent", key);
  await serve("silent", 1);
  await expect.poll(async () => codeOf(await open(visitor, parked.url))).toBeTruthy();
  const silent = world().relyingParty("silent").startLogin({ prompt: "none" });
  const page = await open(visitor, silent.url);
  expect(page.location?.searchParams.get("error")).toBe("login_required");
});

test("turned on while people wait, each browser with the place binds its own copy of it", async () => {
  const visitor = world().visitor();
  const parked = await open(visitor, startOf("later").url);
  expect(parked.position).toBe(1);
  const early = visitor.cookie("usher-later")?.value;
  await world().admin.change("later", { device_binding: "required" });
  await serve("later", 1);
  await expect.poll(async () => (await open(visitor, parked.url)).notice).toBe("device_required");
  const key = await createDeviceKey();
  const entered = await prove(visitor, "later", await open(visitor, parked.url), key);
  expect(codeOf(entered)).toBeTruthy();
  expect(visitor.cookie("usher-later")?.value).toContain(key.thumbprint);
  expect(visitor.cookie("usher-later")?.value).not.toBe(early);
  // No process remembers that: an older copy is bound to no key yet.
  const copy = world().visitor();
  copy.jar.put({ ...(visitor.cookie("usher-later") ?? fail("no ticket")), value: early ?? "" });
  const theirs = await prove(copy, "later", await open(copy, startOf("later").url), await createDeviceKey());
  expect(theirs.notice).toBeUndefined();
  expect(codeOf(theirs)).toBeTruthy();
});

test("whose browser has lost the key gets in by a bypass link, as somebody new who is bound to none", async () => {
  const bound = await createDeviceKey();
  const { visitor } = await join("desk", bound);
  const made = (await world().admin.request("POST", "/rooms/desk/bypass", {})).json() as { url: string };
  const link = new URL(made.url).searchParams.get("link") ?? "";
  await open(visitor, made.url);
  const used = await visitor.navigate(`${world().issuer}/rooms/desk/bypass`, {
    method: "POST",
    body: new URLSearchParams({ link }),
    headers: { origin: world().issuer },
    from: new URL(made.url),
    stopAt: isOutside,
  });
  expect(used.location?.origin).toBe("https://desk.example.test");
  expect(visitor.cookie("usher-desk")?.value).not.toContain(bound.thumbprint);
  expect(codeOf(await open(visitor, startOf("desk").url))).toBeTruthy();
});

test("the pass of a rehearsal's crowd takes no key", async () => {
  const made = await world().admin.request("POST", "/rooms/practice/rehearsal", { visitors: 5, minutes: 5 });
  const { pass } = made.json() as { pass: string };
  const visitor = world().visitor({ headers: { "usher-rehearsal": pass } });
  const parked = await open(visitor, startOf("practice").url);
  expect(parked.position).toBe(1);
  await serve("practice", 1);
  await expect.poll(async () => codeOf(await open(visitor, parked.url))).toBeTruthy();
});

test("gateways that are started again and a store that was emptied forget no key", { timeout: 60_000 }, async () => {
  const key = await createDeviceKey();
  const { visitor, parked } = await join("lost", key);
  visitor.jar.delete("usher-lost.device");
  for (const gateway of world().gateways) await gateway.halt();
  await redis.database().reset();
  for (const gateway of world().gateways) await gateway.start();
  for (const gateway of world().gateways) await gateway.waitUntilReady();
  await expect.poll(async () => (await open(visitor, parked.url)).position, { timeout: 60_000, interval: 500 }).toBe(1);
  await serve("lost", 1);
  await expect
    .poll(async () => (await open(visitor, startOf("lost").url)).notice, { timeout: 60_000, interval: 500 })
    .toBe("device_required");
  const other = await open(visitor, startOf("lost").url);
  const theirs = await prove(visitor, "lost", other, await createDeviceKey());
  expect(theirs.notice).toBe("other_device");
  const entered = await prove(visitor, "lost", await open(visitor, startOf("lost").url), key);
  expect(codeOf(entered)).toBeTruthy();
});

async function proofsCounted(room: string, what: string): Promise<number> {
  const { body } = await world().http.get(`${world().issuer}/metrics`);
  const found = body.match(new RegExp(`usher_device_proofs_total\\{room="${room}",outcome="${what}"\\} (\\d+)`));
  return Number(found?.[1] ?? 0);
}

function fail(message: string): never {
  throw new Error(message);
}
