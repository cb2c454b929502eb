/**
 * Tickets that are bound to a browser and were copied into another: what a thief may do with one who has another key, and what a
 * visitor whose key is lost may do.
 */
import { afterAll, describe, expect, test } from "vitest";
import { createDeviceKey, type DeviceKey } from "../../support/device-key.ts";
import type { HttpResponse } from "../../support/http-client.ts";
import { attribute, type Page, type Visitor } from "../../support/visitor.ts";
import { submitForm } from "../form.ts";
import { memoryStore, useWorld } from "../world.ts";

const targets = ["https://shop.example.test/"];
const required = { device_binding: "required", targets };
const rooms = ["given-up", "anew", "offered", "bypassed", "lost", "back", "many", "left", "claimed", "open"].map(
  (id) => ({
    id,
    settings: id === "offered" ? { device_binding: "offered", targets } : required,
  }),
);
const world = useWorld(() => ({ store: memoryStore, rooms }));

afterAll(() => {
  for (const gateway of world().gateways) expect(gateway.output()).not.toMatch(/uncaught|unhandled/i);
});

const deviceUrl = (room: string) => new URL(`/rooms/${room}/device`, world().issuer);
const startOf = (room: string) => world().relyingParty(room).startLogin();
const isOutside = (location: URL) => location.origin !== world().issuer;
const open = (visitor: Visitor, url: string | URL) => visitor.navigate(url, { stopAt: isOutside });
const codeOf = (page: Page) => page.location?.searchParams.get("code");

async function prove(visitor: Visitor, room: string, page: Page, key: DeviceKey): Promise<Page> {
  expect([page.status, page.notice]).toEqual([403, "device_required"]);
  const proof = await key.prove(deviceUrl(room), attribute(page.body, "data-nonce") ?? "");
  const url = deviceUrl(room);
  const posted = await visitor.fetch(url, { method: "POST", from: url, body: new URLSearchParams({ proof }) });
  expect(posted.status).toBe(204);
  return open(visitor, page.url);
}

async function join(room: string, key: DeviceKey): Promise<{ visitor: Visitor; ticket: string }> {
  const visitor = world().visitor();
  const parked = await prove(visitor, room, await open(visitor, startOf(room).url), key);
  expect(parked.position).toBeGreaterThan(0);
  return { visitor, ticket: visitor.cookie(`usher-${room}`)?.value ?? "" };
}

function thiefWith(room: string, ticket: string): Visitor {
  const thief = world().visitor();
  thief.jar.store(new URL(world().issuer), `usher-${room}=${ticket}; Path=/`);
  return thief;
}

/** As the button of a page does that offers to join again. */
function giveUp(visitor: Visitor, room: string): Promise<HttpResponse> {
  const [, , payload = ""] = visitor.cookie(`usher-${room}`)?.value.split(".") ?? [];
  const [, edition = "", number = ""] = payload.split("~").map((field) => String(Number.parseInt(field, 36)));
  const url = new URL(`/rooms/${room}/rejoin`, world().issuer);
  const { pathname, search } = startOf(room).url;
  const form = { edition, position: number, return: `${pathname}${search}&usher_join=1` };
  return visitor.fetch(url, { method: "POST", from: url, body: new URLSearchParams(form) });
}

async function makeLink(room: string): Promise<string> {
  const made = await world().admin.request("POST", `/rooms/${room}/bypass`, { target_link_uri: targets[0] });
  return (made.json() as { url: string }).url;
}

const press = async (visitor: Visitor, link: string) => submitForm(visitor, await open(visitor, link), isOutside);

async function enter(visitor: Visitor, room: string, key: DeviceKey): Promise<Page> {
  await world().admin.increment(room, 1);
  await expect.poll(async () => (await open(visitor, startOf(room).url)).notice).toBe("device_required");
  const entered = await prove(visitor, room, await open(visitor, startOf(room).url), key);
  expect(codeOf(entered)).toBeTruthy();
  return entered;
}

describe.each(["given-up", "offered"])("in the room %s", (room) => {
  test("a copied ticket whose place is given up logs in by nobody's admission", async () => {
    const key = await createDeviceKey();
    const { visitor, ticket } = await join(room, key);
    await enter(visitor, room, key);
    const thief = thiefWith(room, ticket);
    expect((await giveUp(thief, room)).status).toBe(303);
    const page = await open(thief, startOf(room).url);
    expect([page.notice, codeOf(page)]).toEqual(["device_required", undefined]);
    // With a key of their own they are somebody else, at the end of the line.
    const parked = await prove(thief, room, page, await createDeviceKey());
    expect([parked.position, codeOf(parked)]).toEqual([2, undefined]);
  });
});

test("a copied ticket that joins again is another visitor's than the one who holds the place", async () => {
  const key = await createDeviceKey();
  const { visitor, ticket } = await join("anew", key);
  const thief = thiefWith("anew", ticket);
  expect((await giveUp(thief, "anew")).status).toBe(303);
  const own = await createDeviceKey();
  expect((await prove(thief, "anew", await open(thief, startOf("anew").url), own)).position).toBe(2);
  await enter(visitor, "anew", key);
  const page = await open(thief, startOf("anew").url);
  expect([page.position, codeOf(page)]).toEqual([2, undefined]);
});

test("a ticket without a place that is copied into many browsers is another visitor's in each", async () => {
  const key = await createDeviceKey();
  const { visitor } = await join("many", key);
  await giveUp(visitor, "many");
  const thief = thiefWith("many", visitor.cookie("usher-many")?.value ?? "");
  const own = await createDeviceKey();
  visitor.jar.delete("usher-many.device");
  expect((await prove(visitor, "many", await open(visitor, startOf("many").url), key)).position).toBe(2);
  expect((await prove(thief, "many", await open(thief, startOf("many").url), own)).position).toBe(3);
  await world().admin.increment("many", 1);
  await enter(visitor, "many", key);
  const page = await open(thief, startOf("many").url);
  expect([page.position, codeOf(page)]).toEqual([3, undefined]);
});

test("who leaves and joins again with the same key stays the same visitor", async () => {
  const key = await createDeviceKey();
  const { visitor, ticket } = await join("left", key);
  const url = new URL("/rooms/left/leave", world().issuer);
  expect((await visitor.fetch(url, { method: "POST", from: url })).status).toBe(200);
  visitor.jar.delete("usher-left.device");
  const parked = await prove(visitor, "left", await open(visitor, startOf("left").url), key);
  expect(parked.position).toBe(2);
  expect(subOf(visitor.cookie("usher-left")?.value)).toBe(subOf(ticket));
});

test("a copied ticket claims nothing without its key, neither in a browser nor in an app", async () => {
  const { ticket } = await join("claimed", await createDeviceKey());
  await world().admin.increment("claimed", 1);
  const of = (path: string) => new URL(`/rooms/claimed/tickets/me${path}`, world().issuer);
  const headers = { authorization: `Bearer ${ticket}` };
  const state = async () => ((await world().http.get(of(""), headers)).json() as { state: string }).state;
  await expect.poll(state).toBe("served");
  const thief = thiefWith("claimed", ticket);
  const byCookie = await thief.fetch(of("/claim"), { method: "POST", from: of("") });
  expect([byCookie.status, byCookie.json()]).toEqual([403, expect.objectContaining({ error: "device_required" })]);
  const byApp = await world().http.request(of("/claim"), { method: "POST", headers });
  expect([byApp.status, byApp.json()]).toEqual([401, expect.objectContaining({ error: "device_required" })]);
  expect(await state()).toBe("served");
});

test("a bypass link that is used up lets nobody in by a copied ticket", async () => {
  const key = await createDeviceKey();
  const { visitor, ticket } = await join("bypassed", key);
  await enter(visitor, "bypassed", key);
  const link = await makeLink("bypassed");
  expect((await press(world().visitor(), link)).location?.searchParams.get("usher_token")).toBeTruthy();
  const page = await press(thiefWith("bypassed", ticket), link);
  expect([page.status, page.notice, page.location]).toEqual([410, "bypass_void", undefined]);
});

test("a bypass link lets in a browser that has lost its key, and once more where no answer came", async () => {
  const { visitor, ticket } = await join("lost", await createDeviceKey());
  const link = await makeLink("lost");
  const again = thiefWith("lost", ticket);
  expect((await press(visitor, link)).location?.searchParams.get("usher_token")).toBeTruthy();
  expect((await press(again, link)).location?.searchParams.get("usher_token")).toBeTruthy();
  for (const each of [visitor, again]) expect(codeOf(await open(each, startOf("lost").url))).toBeTruthy();
  expect((await press(world().visitor(), link)).notice).toBe("bypass_void");
});

test("a browser that has lost its key joins again, and comes in with the new one", async () => {
  const { visitor } = await join("back", await createDeviceKey());
  const own = await createDeviceKey();
  await world().admin.increment("back", 1);
  await expect.poll(async () => (await open(visitor, startOf("back").url)).notice).toBe("device_required");
  const refused = await prove(visitor, "back", await open(visitor, startOf("back").url), own);
  expect(refused.notice).toBe("other_device");
  expect((await giveUp(visitor, "back")).status).toBe(303);
  visitor.jar.delete("usher-back.device");
  expect((await prove(visitor, "back", await open(visitor, startOf("back").url), own)).position).toBe(2);
  await enter(visitor, "back", own);
});

test("who has left, and lost the key, comes in by the button where nobody waits", async () => {
  const { visitor } = await join("open", await createDeviceKey());
  const url = new URL("/rooms/open/leave", world().issuer);
  expect((await visitor.fetch(url, { method: "POST", from: url })).status).toBe(200);
  await world().admin.step("open", "passthrough");
  const login = startOf("open").url;
  await expect.poll(async () => (await open(visitor, login)).notice).toBe("device_required");
  const refused = await prove(visitor, "open", await open(visitor, login), await createDeviceKey());
  expect(refused.notice).toBe("other_device");
  expect(codeOf(await submitForm(visitor, refused, isOutside, "/rejoin"))).toBeTruthy();
});

const subOf = (ticket = "") => ticket.split(".")[2]?.split("~")[0];
