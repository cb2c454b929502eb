/** Webhooks by `usher`, at a real gateway with a real receiver; for dead letters a Redis whose clock is set. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAdmin } from "../../../support/admin.ts";
import { ADMIN_KEY, type Gateway, startGateway } from "../../../support/gateway.ts";
import { createHttpClient } from "../../../support/http-client.ts";
import { type RedisWithClock, startRedisWithClock } from "../../../support/redis-with-clock.ts";
import { runUsher } from "../../../support/usher-command.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../../support/webhook-receiver.ts";

const http = createHttpClient();
let redis: RedisWithClock;
let receiver: WebhookReceiver;
let gateway: Gateway;

beforeAll(async () => {
  [redis, receiver] = await Promise.all([startRedisWithClock(), startWebhookReceiver()]);
  gateway = await startGateway({
    config: {
      store: { type: "redis", url: redis.url },
      rooms: [{ id: "shop" }],
      clients: [],
      webhooks: { allowed_hosts: ["127.0.0.1"] },
    },
  });
});
afterAll(async () => {
  await gateway.stop();
  await receiver.close();
  await redis.stop();
  http.close();
});

const usher = (...args: string[]) =>
  runUsher(["webhooks", ...args], { env: { USHER_ADMIN: gateway.origin, USHER_ADMIN_API_KEY: ADMIN_KEY } });
const make = async (...args: string[]) => {
  const { printed } = await usher("add", "--to", receiver.url, "--json", ...args);
  return JSON.parse(printed) as { id: string; secret: string };
};

test("makes, lists, shows, tests, gives a secret and removes, and tells secrets only once", async () => {
  expect((await usher("list")).printed).toContain("There are no webhooks.");
  const made = await usher(
    "add",
    "--to",
    receiver.url,
    "--rooms",
    "shop",
    "--types",
    "usher.room.*",
    "--note",
    "pager",
  );
  expect(made.code).toBe(0);
  const secret = /whsec_\S+/.exec(made.printed)?.[0] ?? "";
  const id = /[0-9a-f]{16}/.exec(made.printed)?.[0] ?? "";
  expect(made.printed).toContain("not shown again");

  const listed = await usher("list");
  expect(listed.printed).toMatch(new RegExp(`${id}.*127\\.0\\.0\\.1.*shop.*cloudevents.*yes.*admin_api.*pager`));
  expect(listed.printed).not.toContain("/usher");
  const shown = await usher("show", id);
  for (const text of [receiver.url, "usher.room.*", "pager", "shop"]) expect(shown.printed).toContain(text);
  expect(JSON.parse((await usher("show", id, "--json")).printed)).toMatchObject({ id, source: "admin_api" });

  expect(await usher("test", id)).toMatchObject({ code: 0, printed: expect.stringContaining("was accepted: 204") });
  receiver.behaviours.push("refuse", "refuse");
  expect(await usher("test", id)).toMatchObject({ code: 1, failure: expect.stringContaining('answered 503, "busy"') });
  const refused = await usher("test", id, "--json");
  expect([refused.code, JSON.parse(refused.printed).status]).toEqual([1, 503]);

  const rotated = await usher("rotate-secret", id, "--overlap", "0s");
  expect(rotated.printed).toMatch(/whsec_/);
  expect(rotated.printed).not.toContain(secret);
  for (const { printed } of [listed, shown, await usher("show", id)]) expect(printed).not.toContain("whsec_");
  expect(await usher("remove", id)).toMatchObject({ code: 0, printed: expect.stringContaining("is removed") });
  expect(await usher("show", id)).toMatchObject({ code: 1, failure: expect.stringContaining("no webhook of this id") });
  expect(await usher("add")).toMatchObject({ code: expect.any(Number) });
  expect((await usher("add", "--to", "http://hooks.example/")).failure).toMatch(/^bad_request: --to: .*https/);
});

test("changes what is named, and nothing else", async () => {
  const { id } = await make("--types", "usher.room.*", "--note", "pager", "--disabled");
  const shown = async () => JSON.parse((await usher("show", id, "--json")).printed);
  const before = await shown();
  const enabled = await usher("change", id, "--enable");
  expect([enabled.code, enabled.printed]).toEqual([0, expect.not.stringContaining("not enabled")]);
  const rest = ({ changed_at: _, ...others }: Record<string, unknown>) => others;
  expect(rest(await shown())).toEqual({ ...rest(before), enabled: true });
  const changed = await usher("change", id, "--disable", "--rooms", "shop", "--types", "usher.room.full", "--json");
  expect(JSON.parse(changed.printed)).toMatchObject({
    id,
    enabled: false,
    rooms: ["shop"],
    types: ["usher.room.full"],
    note: "pager",
    url: receiver.url,
  });
  await usher("change", id, "--note", "to people", "--format", "slack", "--to", `${receiver.url}-next`);
  expect(await shown()).toMatchObject({ note: "to people", format: "slack", url: `${receiver.url}-next` });
  for (const [args, code, says] of [
    [[], 2, "say what to change"],
    [["--enable", "--disable"], 2, "cannot be used with"],
    [["--types", "usher.nothing"], 1, "there are no events usher.nothing"],
    [["--to", "http://hooks.example/"], 1, "https"],
  ] as const) {
    expect(await usher("change", id, ...args)).toMatchObject({ code, failure: expect.stringContaining(says) });
  }
  expect(await usher("change", "nowhere", "--enable")).toMatchObject({ code: 1 });
  await usher("remove", id);
});

test("lists events that were refused for a day, and replays one of them or all", async () => {
  const { id } = await make("--types", "usher.room.phase_changed", "--rooms", "shop");
  receiver.usual = "refuse";
  const admin = createAdmin(http, gateway.origin);
  await admin.step("shop", "pause");
  await admin.step("shop", "resume");
  const attempts = receiver.requests.length;
  await expect.poll(() => receiver.requests.length).toBeGreaterThan(attempts);
  await redis.setClock(25 * 3_600);
  const list = async () => JSON.parse((await usher("dead-letters", "list", id, "--json")).printed) as { id: string }[];
  await expect.poll(async () => (await list()).length, { timeout: 60_000 }).toBe(2);
  const table = await usher("dead-letters", "list", id);
  expect(table.printed).toContain("the receiver answered 503");
  expect(table.printed).toContain("shop: room phase changed");

  const [first] = await list();
  const replay = (...args: string[]) => usher("dead-letters", "replay", id, ...args);
  expect(await replay()).toMatchObject({ code: 2, failure: expect.stringContaining("--all") });
  expect(await replay(first?.id ?? "")).toMatchObject({ code: 1, failure: expect.stringContaining("answered 503") });
  receiver.received.length = 0;
  receiver.behaviours.push("accept");
  expect(await replay("--all")).toMatchObject({ code: 1, failure: expect.stringContaining("1 dead letter of 2 had") });
  expect(await list()).toHaveLength(1);
  receiver.usual = "accept";
  expect(await replay("--all")).toMatchObject({ code: 0, printed: expect.stringContaining("1 dead letter sent") });
  expect(receiver.received.map(({ data }) => data.phase)).toEqual(["paused", "open"]);
  expect((await usher("dead-letters", "list", id)).printed).toContain("There are no dead letters.");
  await usher("remove", id);
}, 120_000);
