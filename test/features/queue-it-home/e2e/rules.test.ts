/** Rules of rooms, as the published connector for JavaScript follows them with the configuration that it has pulled. */
import { expect, it, test } from "vitest";
import { memoryStore } from "../../../e2e/world.ts";
import { useHome } from "../support/home.ts";

const path = "http.request.uri.path";
const { world, site } = useHome(memoryStore, [
  {
    id: "shop",
    settings: {
      rules: [
        { name: "staff", when: 'http.request.cookies["staff"][0] eq "1"', action: "bypass" },
        { name: "office", when: "ip.src in {127.0.0.0/8 ::1}", action: "bypass" },
        { name: "images", when: `ends_with(${path}, ".png")`, action: "ignore" },
        {
          name: "checkout",
          when: `starts_with(${path}, "/shop/checkout") and http.host eq "localhost"`,
          action: "queue",
        },
        {
          name: "sale",
          triggers: [
            {
              LogicalOperator: "And",
              TriggerParts: [
                {
                  ValidatorType: "UrlValidator",
                  UrlPart: "PagePath",
                  Operator: "Contains",
                  ValueToCompare: "/SALE",
                  IsIgnoreCase: true,
                },
                {
                  ValidatorType: "UserAgentValidator",
                  Operator: "Contains",
                  ValueToCompare: "monitor",
                  IsNegative: true,
                },
              ],
            },
          ],
          action: "queue",
        },
        { name: "rest", action: "ignore" },
      ],
    },
  },
  {
    id: "part",
    settings: { rules: [{ name: "help", when: `${path} in {"/part/help" "/part/faq"}`, action: "ignore" }] },
  },
  { id: "plain" },
]);

it.each<[address: string, becomes: string, headers?: Record<string, string>]>([
  ["/shop/", "ignore"],
  ["/shop/checkout", "event-shop"],
  ["/shop/checkout/pay?x=1", "event-shop"],
  ["/shop/checkout/logo.png", "event-shop"],
  ["/shop/checkout", "ignore", { cookie: "staff=1" }],
  ["/shop/checkout", "event-shop", { cookie: "staff=2" }],
  ["/shop/logo.png", "ignore"],
  // Wider than the rule: connectors know no beginning.
  ["/shop/x/shop/checkout", "event-shop"],
  ["/shop/summer-sale", "ignore"],
  ["/shop/sale/1", "event-shop"],
  ["/shop/sale/1", "ignore", { "user-agent": "monitor/1" }],
  // What no rule of its room matches.
  ["/part/", "event-part"],
  ["/part/help", "ignore"],
  ["/part/help/more", "event-part"],
  ["/part/faq?x=1", "ignore"],
  // The rest that passes in the first room is none of the others'.
  ["/plain/", "event-plain"],
  ["/elsewhere", "ignore"],
])("%s: %s, with %j", async (address, becomes, headers = {}) => {
  const response = await fetch(site().origin + address, { redirect: "manual", headers });
  if (response.status === 302) {
    const to = new URL(response.headers.get("Location") ?? "");
    expect([to.origin, to.searchParams.get("e")]).toEqual([world().issuer, becomes]);
    return;
  }
  expect((await response.json()) as object).toMatchObject({ actionType: "Ignore" });
  expect(becomes).toBe("ignore");
});

test("what it sends into the line waits there, and comes back", async () => {
  const visitor = world().visitor();
  const checkout = `${site().origin}/shop/checkout?x=1`;
  expect((await visitor.navigate(checkout)).position).toBe(1);
  await world().admin.increment("shop", 1);
  const page = await visitor.login(checkout);
  expect(JSON.parse(page.body)).toMatchObject({ path: "/shop/checkout?x=1", redirectType: "queue" });
});
