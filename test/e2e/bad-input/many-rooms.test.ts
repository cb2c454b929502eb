/** A browser that visits more rooms than its cookies may be of: places that count stay, and all else goes, the oldest first. */
import { expect, test } from "vitest";
import type { Visitor } from "../../support/visitor.ts";
import { leaveLine, submitForm } from "../form.ts";
import { memoryStore, useWorld } from "../world.ts";

const ids = Array.from({ length: 26 }, (_, index) => `room-${index}`);
const world = useWorld(() => ({
  store: memoryStore,
  rooms: ids.map((id) => ({ id, settings: { targets: ["https://shop.example.test/"] } })),
  config: { clients: [] },
}));
const linkTo = (room: string) => `${world().issuer}/rooms/${room}/enter`;
const roomCookies = (visitor: Visitor) => visitor.jar.all().filter(({ name }) => name.startsWith("usher-"));
const bytesOf = (visitor: Visitor) => (visitor.jar.header(new URL(world().issuer)) ?? "").length;

test("rooms that were left keep nothing in the browser but the latest cookies", async () => {
  const visitor = world().visitor();
  for (const id of ids) {
    const page = await visitor.navigate(linkTo(id));
    expect(page.state).toBe("waiting");
    expect((await leaveLine(visitor, page)).notice).toBe("left");
    expect(roomCookies(visitor).length).toBeLessThanOrEqual(20);
    expect(bytesOf(visitor)).toBeLessThanOrEqual(4_096);
  }
});

test("places that count stay; a browser that can keep no other is asked to leave one, and takes none", async () => {
  const visitor = world().visitor();
  const places: string[] = [];
  let page = await visitor.navigate(linkTo("room-0"));
  for (const id of ids) {
    page = await visitor.navigate(linkTo(id));
    if (page.notice !== undefined) break;
    places.push(id);
    expect(roomCookies(visitor).length).toBeLessThanOrEqual(20);
    expect(bytesOf(visitor)).toBeLessThanOrEqual(4_096);
  }
  expect([page.status, page.notice]).toEqual([200, "too_many_places"]);
  expect(places.length).toBeGreaterThanOrEqual(18);
  expect(places.length).toBeLessThanOrEqual(20);
  const next = ids[places.length] as string;
  expect(visitor.cookie(`usher-${next}`)).toBeUndefined();
  const positions = async () =>
    (await Promise.all(places.map((id) => visitor.navigate(linkTo(id))))).map((at) => at.position);
  const kept = await positions();
  expect(kept.every((position) => position !== undefined && position > 0)).toBe(true);
  const program = await visitor.fetch(linkTo(next), {
    headers: { "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" },
  });
  expect([program.status, program.json()]).toMatchObject([409, { error: "too_many_places" }]);

  const [, leaving = ""] = /href="(\/rooms\/room-3\/leave)"/.exec(page.body) ?? [];
  const left = await submitForm(visitor, await visitor.navigate(world().issuer + leaving), undefined, "/leave");
  expect(left.notice).toBe("left");
  const button = /<a class="button[^>]*href="([^"]+)"/.exec(page.body)?.[1]?.replaceAll("&amp;", "&");
  const again = await visitor.navigate(new URL(button ?? "", page.url), { from: page.url });
  expect([again.state, roomCookies(visitor).length <= 20]).toEqual(["waiting", true]);
});

test("what nobody can read, or is of no room, makes way", async () => {
  const visitor = world().visitor();
  const odd = Array.from({ length: 25 }, (_, index) => `usher-gone-${index}=w1.x.y.z`).join("; ");
  const more = `${odd}; usher-room-9=nonsense; usher-room-8.identity=${"x".repeat(600)}`;
  const page = await visitor.navigate(linkTo("room-5"), { headers: { cookie: more } });
  expect(page.state).toBe("waiting");
  const cleared = page.setCookies.filter((each) => /^usher-gone-\d+=; Max-Age=0/.test(each));
  expect(cleared.length).toBeGreaterThanOrEqual(9);
  expect(cleared.length).toBeLessThanOrEqual(16);
});
