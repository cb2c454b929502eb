import { expect, it, test } from "vitest";
import { settingsOf } from "../../../../src/config/index.ts";
import { queueItSettings } from "../../../../src/features/queue-it-home/settings.ts";
import { loadConfig } from "../../../support/load-config.ts";

const secretKey = "528f01d4-30f9-4753-95b3-2c8c33966abc";
const room = { id: "tickets", targets: ["https://shop.test/*"] };
const home = { customer_id: "acme", secret_key: secretKey, rooms: { event1: "tickets" } };
const document = { issuer: "https://q.example", rooms: [room] };
const settingsIn = async (more: object) => {
  const { config } = await loadConfig({ document: { ...document, ...more }, env: {} });
  return config.issuers.map((issuer) => settingsOf(issuer, queueItSettings));
};

it("is absent unless it is written", async () => {
  for (const more of [{}, { homes: {} }]) expect(await settingsIn(more)).toEqual([null]);
  expect(await settingsIn({ homes: { queue_it: home } })).toEqual([
    {
      path: "/queue-it",
      customerId: "acme",
      secretKeys: [secretKey],
      apiKeys: [],
      rooms: new Map([["event1", "tickets"]]),
    },
  ]);
});

it("is each issuer's own", async () => {
  const issuers = [
    { issuer: "https://a.example", rooms: [{ ...room, id: "a" }], homes: { queue_it: { ...home, rooms: { x: "a" } } } },
    { issuer: "https://b.example", rooms: [{ ...room, id: "b" }] },
  ];
  const { config } = await loadConfig({ document: { issuers }, env: {} });
  expect(config.issuers.map((issuer) => settingsOf(issuer, queueItSettings)?.rooms.get("x"))).toEqual(["a", undefined]);
  const other = { ...issuers[1], homes: { queue_it: home } };
  await expect(loadConfig({ document: { issuers: [issuers[0], other] }, env: {} })).rejects.toThrow(/no such room/);
  await expect(loadConfig({ document: { issuers, homes: { queue_it: home } }, env: {} })).rejects.toThrow(/homes/);
});

it("says which rooms its sites send visitors to, by which ids", async () => {
  const rooms = { event1: "tickets", "event-2": "tickets" };
  const [value] = await settingsIn({ homes: { queue_it: { ...home, rooms } } });
  expect(queueItSettings.homes?.(value as never)).toEqual([
    { room: "tickets", system: "Queue-it", ids: ["event1", "event-2"], guide: "docs/homes/queue-it.md" },
  ]);
  for (const of of [queueItSettings.homes, queueItSettings.publicAnswers]) expect(of?.(null as never)).toEqual([]);
});

test.each([
  ["/rooms/tickets/enter?hand_over=queue_it.event1", null],
  ["https://q.example/rooms/tickets/enter?hand_over=queue_it.event1", null],
  [
    "http://10.0.0.7:8080/rooms/tickets/enter?hand_over=queue_it.event1",
    /it leads to http:\/\/10\.0\.0\.7:8080\/rooms/,
  ],
  ["/rooms/tickets/enter", /Let the proxy send Location on as it is$/],
  ["/queue-it/rooms/tickets/enter?hand_over=queue_it.event1", /and not to \/rooms\/tickets\/enter/],
  ["https://", /it leads to nowhere/],
])("knows from outside where its address leads: %s", async (location, expected) => {
  const [value] = await settingsIn({ homes: { queue_it: home } });
  const [enter, pull] = queueItSettings.publicAnswers?.(value as never) ?? [];
  const about = { about: "queue-it home", rooms: ["tickets"] };
  expect(enter).toMatchObject({ ...about, target: "/queue-it/?c=acme&e=event1", status: 303 });
  expect(pull).toMatchObject({ ...about, target: "/queue-it/status/integrationconfig/secure/acme", status: 401 });
  const found = enter?.findFault({ url: "https://q.example/queue-it/", headers: new Headers({ location }), text: "" });
  if (expected === null) expect(found).toBeNull();
  else expect(found).toMatch(expected);
});

it("warns of rules that connectors cannot compare, with their place", async () => {
  const rules = [
    { name: "help", when: 'http.request.uri.path eq "/help"', action: "ignore" },
    { name: "sale", when: 'starts_with(http.request.uri.path, "/sale")', action: "queue" },
    { name: "rest", action: "ignore" },
  ];
  const ruled = { ...document, rooms: [{ ...room, rules }] };
  const warnings = async (more: object) => (await loadConfig({ document: { ...ruled, ...more }, env: {} })).warnings;
  expect((await warnings({ homes: { queue_it: home } })).filter((text) => text.includes("Queue-it"))).toEqual([
    expect.stringMatching(/^rooms\[0\]\.rules\[1\]: connectors of Queue-it cannot compare starts_with/),
  ]);
  expect((await warnings({})).filter((text) => text.includes("Queue-it"))).toEqual([]);
});

test.each([
  [{ path: "/rooms" }, /homes\.queue_it\.path.*Usher answers there itself/],
  [{ path: "/rooms/x" }, /Usher answers there itself/],
  [{ path: "queue-it" }, /homes\.queue_it\.path/],
  [{ path: "/queue-it/" }, /homes\.queue_it\.path/],
  [{ path: "/Queue-it" }, /homes\.queue_it\.path/],
  [{ path: "/a/../b" }, /homes\.queue_it\.path/],
  [{ customer_id: "ac me" }, /homes\.queue_it\.customer_id/],
  [{ secret_key: undefined }, /homes\.queue_it\.secret_key/],
  [{ secret_key: "a".repeat(35) }, /secret_key: \(hidden\): expected 36 to 72/],
  [{ secret_key: "a".repeat(73) }, /secret_key: \(hidden\): expected 36 to 72/],
  [{ api_key: "short" }, /api_key: \(hidden\): expected 20 to 200/],
  [{ rooms: {} }, /expected 1 to 200 rooms/],
  [{ rooms: { Event1: "tickets" } }, /homes\.queue_it\.rooms\.Event1/],
  [{ rooms: { a_b: "tickets" } }, /homes\.queue_it\.rooms\.a_b/],
  [{ rooms: { event1: "tickts" } }, /rooms\.event1.*no such room.*tickets/],
  [{ rooms: { event1: 7 } }, /rooms\.event1/],
  [{ rooms: ["tickets"] }, /expected rooms by the ids/],
  [{ secrt_key: secretKey }, /secrt_key/],
])("a fault at start: %j", async (changes, message) => {
  const refused = settingsIn({ homes: { queue_it: { ...home, ...changes } } });
  await expect(refused).rejects.toThrow(message);
  await expect(refused).rejects.not.toThrow(secretKey);
});

it("takes no room from which nobody could be sent on, or be seen again", async () => {
  const queue_it = home;
  await expect(settingsIn({ rooms: [{ id: "tickets" }], homes: { queue_it } })).rejects.toThrow(/has no targets/);
  const seen = { ...room, admission: { first_visit_within: "1m" } };
  await expect(settingsIn({ rooms: [seen], homes: { queue_it } })).rejects.toThrow(/no connector reports a visit/);
});
