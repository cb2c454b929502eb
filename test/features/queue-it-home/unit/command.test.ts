/** `usher queue-it config`: what connectors read as a file. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { stringify } from "yaml";
import { makeTempDir, type TempDir } from "../../../support/temp-dir.ts";
import { runUsher } from "../../../support/usher-command.ts";

const rooms = [{ id: "tickets", title: "Tickets", targets: ["https://shop.test/*"] }];
// The secret need not be there: it is no part of what is printed.
const queue_it = {
  customer_id: "acme",
  secret_key: { from: "env", name: "QUEUE_IT_SECRET_KEY" },
  rooms: { event1: "tickets" },
};
const one = { issuer: "https://queue.test", rooms, homes: { queue_it } };

let folder: TempDir;
beforeAll(async () => {
  folder = await makeTempDir("queue-it-command");
});
afterAll(() => folder.remove());

async function config(document: object, ...more: string[]) {
  const file = join(folder.path, "usher.yaml");
  await writeFile(file, stringify(document));
  return runUsher(["queue-it", "config", "--config", file, ...more]);
}

it("prints the integration configuration, without the secret", async () => {
  const { code, printed } = await config(one);
  expect(code).toBe(0);
  expect(JSON.parse(printed)).toMatchObject({
    CustomerId: "acme",
    Integrations: [{ Name: "Tickets", EventId: "event1", QueueDomain: "queue.test/queue-it" }],
  });
});

it("says which issuer has none, or which are meant", async () => {
  const none = await config({ ...one, homes: {} });
  expect([none.code, none.failure]).toEqual([1, expect.stringMatching(/no homes\.queue_it/)]);
  const other = { ...one, issuer: "https://b.test", rooms: [{ ...rooms[0], id: "b" }] };
  const two = { issuers: [one, { ...other, homes: { queue_it: { ...queue_it, rooms: { event2: "b" } } } }] };
  expect((await config(two)).failure).toMatch(/https:\/\/queue\.test, https:\/\/b\.test \(--issuer\)/);
  const { printed } = await config(two, "--issuer", "https://b.test");
  expect(JSON.parse(printed)).toMatchObject({ Integrations: [{ EventId: "event2" }] });
});

it("has an integration for each rule, and names on standard error what connectors cannot compare", async () => {
  const rules = [
    { name: "office", when: "ip.src in {192.0.2.0/24}", action: "bypass" },
    { name: "checkout", when: 'http.request.uri.path eq "/checkout"', action: "queue" },
    { name: "rest", action: "ignore" },
  ];
  const { code, printed, failure } = await config({ ...one, rooms: [{ ...rooms[0], rules }] });
  expect(code).toBe(0);
  const { Integrations } = JSON.parse(printed) as { Integrations: { Name: string; ActionType: string }[] };
  expect(Integrations.map(({ Name, ActionType }) => [Name, ActionType])).toEqual([
    ["Tickets: checkout", "Queue"],
    ["Tickets: rest", "Ignore"],
  ]);
  expect(failure).toMatch(/^tickets, rule office: connectors of Queue-it cannot compare ip\.src in [^\n]*\n$/);
});
