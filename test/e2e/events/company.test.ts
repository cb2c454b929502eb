/**
 * Goal: whoever has a room open learns who else has, at whichever gateway, within seconds; a killed gateway's people are gone within
 * fifteen; and nobody learns of people in a room that is not theirs.
 */
import { createHash } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { ADMIN_KEY } from "../../support/gateway.ts";
import { startRedis } from "../../support/redis-server.ts";
import { type StoreUnderTest, useWorld } from "../world.ts";

const barKey = "key-of-the-bar-0123456789abcdef0123";
const deskKey = "key-of-the-desk-0123456789abcdef012";
const sha256 = (key: string) => createHash("sha256").update(key).digest("hex");
const ownRedis: StoreUnderTest = {
  name: "a Redis of its own",
  async start() {
    const server = await startRedis();
    return { config: { type: "redis", url: server.url }, stop: () => server.stop() };
  },
};
const world = useWorld(() => ({
  asProcess: true,
  store: ownRedis,
  gateways: 2,
  rooms: [{ id: "shop" }, { id: "bar" }],
  config: {
    admin: {
      keys: [
        { id: "bar", key_sha256: sha256(barKey), rooms: ["bar"], role: "viewer" },
        { id: "desk", key_sha256: sha256(deskKey), role: "box_office" },
      ],
    },
  },
}));

interface Company {
  room: string;
  people: { kind: string; name: string; role: string }[];
  more: number;
}

async function watch(index: number, key: string, query: string) {
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fetch(`${world().gateways[index]?.origin}/admin/live${query}`, {
    headers,
    signal: abort.signal,
  });
  let text = "";
  void (async () => {
    for await (const chunk of answer.body ?? []) text += Buffer.from(chunk).toString();
  })().catch(() => undefined);
  return {
    status: answer.status,
    text: () => text,
    company: () =>
      Array.from(text.matchAll(/^event: company\ndata: (.*)\n\n/gm), ([, json = ""]) => JSON.parse(json) as Company).at(
        -1,
      ),
    close: () => abort.abort(),
  };
}

test("whoever has a room open hears who else has, of both gateways, until they leave", async () => {
  const ops = await watch(0, ADMIN_KEY, "?room=shop");
  const desk = await watch(1, deskKey, "?room=shop");
  const elsewhere = await watch(1, barKey, "?room=bar");
  const plain = await watch(0, deskKey, "");
  const seen = { kind: "key", name: "desk", role: "box_office" };
  await expect.poll(() => ops.company(), { timeout: 12_000 }).toEqual({ room: "shop", people: [seen], more: 0 });
  await expect.poll(() => desk.company()?.people, { timeout: 12_000 }).toMatchObject([{ kind: "key", role: "admin" }]);
  expect(elsewhere.company()).toEqual({ room: "bar", people: [], more: 0 });
  expect(plain.text()).not.toContain("event: company");
  desk.close();
  await expect.poll(() => ops.company()?.people, { timeout: 15_000 }).toEqual([]);
});

test("a room that is not one's own, or none, is refused", async () => {
  expect((await watch(0, barKey, "?room=shop")).status).toBe(403);
  expect((await watch(0, ADMIN_KEY, "?room=none")).status).toBe(404);
  expect((await watch(0, ADMIN_KEY, "?rooms=shop")).status).toBe(400);
});

test("the people of a gateway that was killed are gone within fifteen seconds", async () => {
  const ops = await watch(0, ADMIN_KEY, "?room=shop");
  await watch(1, deskKey, "?room=shop");
  await expect.poll(() => ops.company()?.people, { timeout: 12_000 }).toHaveLength(1);
  await world().gateways[1]?.kill();
  await expect.poll(() => ops.company()?.people, { timeout: 15_500 }).toEqual([]);
});
