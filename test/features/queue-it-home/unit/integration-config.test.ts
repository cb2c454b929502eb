import { expect, it, test } from "vitest";
import {
  integrationConfig,
  queueDomainOf,
  triggersOf,
} from "../../../../src/features/queue-it-home/integration-config.ts";

const home = {
  path: "/queue-it",
  customerId: "acme",
  rooms: new Map([
    ["event1", "tickets"],
    ["event2", "gone"],
  ]),
};
const room = {
  title: "Tickets",
  targets: ["https://shop.test/sale/*"],
  rules: null,
  admission: { durationMs: 1_170_000, maxDurationMs: null },
};
const of = (changes: object) =>
  integrationConfig(home, (id) => (id === "tickets" ? { ...room, ...changes } : null), {
    issuer: "https://queue.test:8443",
    nowMs: 0,
  });

it("has one integration for each room that is there, by the room's settings", () => {
  expect(of({})).toMatchObject({
    CustomerId: "acme",
    Version: expect.any(Number),
    Integrations: [
      {
        Name: "Tickets",
        ActionType: "Queue",
        EventId: "event1",
        QueueDomain: "queue.test:8443/queue-it",
        CookieValidityMinute: 20,
        ExtendCookieValidity: false,
        IsCookieSecure: true,
        RedirectLogic: "AllowTParameter",
      },
    ],
  });
  const sliding = of({ admission: { durationMs: 60_000, maxDurationMs: 600_000 } });
  expect(sliding.Integrations[0]).toMatchObject({ CookieValidityMinute: 1, ExtendCookieValidity: true });
});

it("has another version as soon as it says something else, and the same otherwise", () => {
  expect(of({}).Version).toBe(of({}).Version);
  expect(of({}).Version).not.toBe(of({ title: "Others" }).Version);
  expect(of({}).Version).toBeGreaterThan(0);
});

test.each([
  ["https://shop.test/*", [["HostName", "Equals", "shop.test"]]],
  [
    "https://shop.test/sale/*",
    [
      ["HostName", "Equals", "shop.test"],
      ["PagePath", "Contains", "/sale/"],
    ],
  ],
  [
    "https://shop.test/sale",
    [
      ["HostName", "Equals", "shop.test"],
      ["PagePath", "Equals", "/sale"],
    ],
  ],
  [
    "https://shop.test:8443/sale",
    [
      ["HostName", "Contains", "shop.test"],
      ["PagePath", "Equals", "/sale"],
    ],
  ],
])("the trigger of %s", (target, parts) => {
  const [trigger] = triggersOf([target]);
  expect(trigger?.TriggerParts.map((each) => [each.UrlPart, each.Operator, each.ValueToCompare])).toEqual(parts);
});

it("is behind https at the host and path of the home", () => {
  expect(queueDomainOf("https://queue.test", "/a/b")).toBe("queue.test/a/b");
});
