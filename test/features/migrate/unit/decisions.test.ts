/** What migrated rules make of requests: as it was there, and never more that passes. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { decide, readRules } from "../../../../src/lib/rules/index.ts";
import { makeTempDir } from "../../../support/temp-dir.ts";
import { runUsher } from "../../../support/usher-command.ts";
import { loaded, migrated, readSample, samples } from "../support/samples.ts";

const room = "699d98642c564d2e855e9661899b7252";
const cloudflare = ["rooms", `rules-${room}`, "settings"].map((name) => `cloudflare/${name}.json`);
const queueIt = ["queue-it/integrationconfig.json"];
const refused = ["queue-it/body.json"];

test.each([
  [queueIt, "event-1", "https://shop.test/checkout?step=1", {}, "queue"],
  [queueIt, "event-1", "https://shop.test/basket", {}, "queue"],
  [queueIt, "event-1", "https://other.test/basket", {}, "ignore"],
  [queueIt, "event-1", "https://other.test/pay", {}, "queue"],
  [queueIt, "event-1", "https://shop.test/assets/checkout.css", {}, "ignore"],
  [queueIt, "event-1", "https://shop.test/%63heckout", {}, "queue"],
  [queueIt, "drops", "https://www.shop.test/drops/1", {}, "queue"],
  [queueIt, "drops", "https://www.shop.test/drops/1", { cookie: "staff=1" }, "ignore"],
  [refused, "orders", "https://shop.test/orders", {}, "queue"],
  [refused, "orders", "https://shop.test/anything", {}, "queue"],
  [cloudflare, "shop-room", "https://shop.example.com/tickets/7", {}, "queue"],
  [cloudflare, "shop-room", "https://shop.example.com/Tickets/7", {}, "queue"],
  [cloudflare, "shop-room", "https://shop.example.com/basket", {}, "queue"],
  [cloudflare, "shop-room", "https://shop.example.com/about", {}, "ignore"],
  [cloudflare, "shop-room", "https://blog.example.com/tickets", {}, "ignore"],
  [cloudflare, "shop-room", "https://shop.example.com/tickets/7", { address: "192.0.2.9" }, "bypass"],
  [cloudflare, "shop-room", "https://shop.example.com/tickets/free", { address: "198.51.100.1" }, "queue"],
  [cloudflare, "shop-room-2", "https://shop.example.com/about", {}, "queue"],
] as const)(
  "%j, room %s: %s %j becomes %s",
  async (files, id, url, { address, cookie }: { address?: string; cookie?: string }, action) => {
    const system = files === cloudflare ? "cloudflare" : "queue-it";
    const { yaml } = migrated(system, files.map(readSample));
    const { rooms = [] } = (await loaded(yaml)).issuers[0] ?? {};
    const read = readRules(rooms.find((each) => each.id === id)?.waysIn.rules);
    if ("faults" in read) throw new Error("the room has no rules");
    const { host, pathname, search } = new URL(url);
    const request = {
      method: "GET",
      protocol: "https" as const,
      authority: host,
      target: pathname + search,
      header: (name: string) => (name === "cookie" ? cookie : undefined),
      address: address ?? null,
    };
    expect(decide(read.set, request).action).toBe(action);
  },
);

test("connectors get the integrations of the migrated rules in their order again", async () => {
  const folder = await makeTempDir("migrate-decisions");
  try {
    const file = join(folder.path, "usher.yaml");
    const [system, files] = samples[3];
    await writeFile(file, migrated(system, files.map(readSample)).yaml);
    const { code, printed } = await runUsher(["queue-it", "config", "--config", file]);
    expect(code).toBe(0);
    const { CustomerId, Integrations } = JSON.parse(printed) as {
      CustomerId: string;
      Integrations: Record<string, unknown>[];
    };
    expect(CustomerId).toBe("acme");
    const sent = Integrations.map(
      ({ EventId, ActionType, CookieValidityMinute }) => `${EventId} ${ActionType} ${CookieValidityMinute}`,
    );
    expect(sent.filter((each) => each.includes("Queue"))).toEqual([
      "event-1 Queue 30",
      "event-1 Queue 30",
      "drops Queue 20",
    ]);
    expect(sent[0]).toBe("event-1 Ignore 30");
  } finally {
    await folder.remove();
  }
});
