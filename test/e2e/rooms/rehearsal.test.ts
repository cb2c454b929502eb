/** A room for rehearsals says on each of its pages that nothing is sold; the room beside it says nothing of the kind. */
import { expect, test } from "vitest";
import { ADMIN_KEY } from "../../support/gateway.ts";
import { runUsher } from "../../support/usher-command.ts";
import { within } from "../../support/within.ts";
import { leaveLine } from "../form.ts";
import { clientId, memoryStore, redirectUri, useWorld } from "../world.ts";

const both = "both-rooms";
const target = "https://shop.example.test/";
const world = useWorld(() => ({
  store: memoryStore,
  rooms: [
    { id: "practice", settings: { rehearsal: true, targets: [target] } },
    { id: "sale", settings: { targets: [target] } },
    { id: "switched" },
  ],
  config: {
    clients: [
      ...["practice", "sale", "switched"].map((id) => ({
        client_id: clientId(id),
        client_secret: `secret-of-the-site-${id}-0123456789`,
        redirect_uris: [redirectUri(id)],
        room: id,
      })),
      {
        client_id: both,
        client_secret: "secret-of-the-site-of-both-0123456789",
        redirect_uris: ["https://both.example.test/callback"],
        rooms: ["sale", "practice"],
      },
    ],
  },
}));

const banner = '<aside class="rehearsal">This is a rehearsal. Nothing is sold here.</aside>';
const login = (room: string) => world().relyingParty(room).startLogin().url;
const statusOf = async (room: string) =>
  (await world().http.request(`${world().issuer}/rooms/${room}/status`)).json() as { rehearsal: boolean };
const usherStatus = async (room: string) => {
  const env = { USHER_ADMIN: world().gateways[0]?.operatorsOrigin ?? "", USHER_ADMIN_API_KEY: ADMIN_KEY };
  return (await runUsher(["status", room], { env })).printed;
};

/** All kinds of pages that visitors of a room come to see. */
async function pagesOf(room: string): Promise<Map<string, string>> {
  const { issuer, admin } = world();
  const visitor = world().visitor();
  const seen = new Map<string, string>();
  const see = async (name: string, url: string | URL) => seen.set(name, (await visitor.navigate(url)).body);
  const parked = await visitor.navigate(login(room));
  seen.set("waiting", parked.body);
  seen.set("left", (await leaveLine(visitor, parked)).body);
  await see("way in by a link", `${issuer}/rooms/${room}/enter?target=${encodeURIComponent(target)}`);
  await see("refused target", `${issuer}/rooms/${room}/enter?target=https%3A%2F%2Felsewhere.example.test%2F`);
  await see("nothing there", `${issuer}/rooms/${room}/nothing/here`);
  const refused = login(room);
  refused.searchParams.set("redirect_uri", "https://elsewhere.example.test/");
  await see("refused request", refused);
  const ofBoth = new URL(`${issuer}/authorize?response_type=code&scope=openid&room=${room}`);
  ofBoth.searchParams.set("client_id", both);
  ofBoth.searchParams.set("redirect_uri", "https://elsewhere.example.test/");
  await see("refused request of a client of two rooms", ofBoth);
  await admin.step(room, "end");
  await within(5_000, async () => expect((await world().visitor().navigate(login(room))).body).toContain("ended"));
  seen.set("ended", (await world().visitor().navigate(login(room))).body);
  return seen;
}

test("every page of the room has the banner; a room beside it has none", async () => {
  const practice = await pagesOf("practice");
  expect([...practice].filter(([, body]) => body.split(banner).length !== 2).map(([name]) => name)).toEqual([]);
  const sale = await pagesOf("sale");
  expect([...sale.keys()]).toEqual([...practice.keys()]);
  expect([...sale].filter(([, body]) => body.includes("rehearsal")).map(([name]) => name)).toEqual([]);
});

test("status, admin API and `usher status` say it", async () => {
  expect([(await statusOf("practice")).rehearsal, (await statusOf("sale")).rehearsal]).toEqual([true, false]);
  const answer = await world().admin.request("GET", "/rooms/practice");
  expect(answer.json()).toMatchObject({ settings: { rehearsal: true } });
  expect(await usherStatus("practice")).toMatch(/^rehearsal +the pages say that nothing is sold here$/m);
  expect(await usherStatus("sale")).not.toContain("rehearsal");
});

test("a live change switches it on and off", async () => {
  const shows = async () => (await world().visitor().navigate(login("switched"))).body.includes(banner);
  expect(await shows()).toBe(false);
  for (const rehearsal of [true, false]) {
    await world().admin.change("switched", { rehearsal });
    await within(5_000, async () => expect((await statusOf("switched")).rehearsal).toBe(rehearsal));
    expect(await shows()).toBe(rehearsal);
  }
  const wrong = await world().admin.request("PATCH", "/rooms/switched", { rehearsal: "yes" });
  expect(wrong.status).toBe(400);
});
