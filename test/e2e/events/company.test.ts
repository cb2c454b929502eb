/** Goal: whoever has a room open learns who else has, at whichever gateway; and nobody learns of people in a room that is not theirs. */
import { expect, test } from "vitest";
import { ADMIN_KEY } from "../../support/gateway.ts";
import { useWorld } from "../world.ts";
import { barKey, companyWorld, deskKey, watch as watchAt } from "./company.ts";

const world = useWorld(() => companyWorld);
const watch = (index: number, key: string, query: string) => watchAt(world().gateways[index], key, query);

test("whoever has a room open hears who else has, of both gateways, until they leave", async () => {
  const ops = await watch(0, ADMIN_KEY, "?room=shop");
  const desk = await watch(1, deskKey, "?room=shop");
  const elsewhere = await watch(1, barKey, "?room=bar");
  const plain = await watch(0, deskKey, "");
  const seen = { kind: "key", name: "desk", role: "box_office" };
  await expect.poll(() => ops.company()).toEqual({ room: "shop", people: [seen], more: 0 });
  await expect.poll(() => desk.company()?.people).toMatchObject([{ kind: "key", role: "admin" }]);
  expect(elsewhere.company()).toEqual({ room: "bar", people: [], more: 0 });
  expect(plain.text()).not.toContain("event: company");
  desk.close();
  await expect.poll(() => ops.company()?.people).toEqual([]);
});

test("a room that is not one's own, or none, is refused", async () => {
  expect((await watch(0, barKey, "?room=shop")).status).toBe(403);
  expect((await watch(0, ADMIN_KEY, "?room=none")).status).toBe(404);
  expect((await watch(0, ADMIN_KEY, "?rooms=shop")).status).toBe(400);
});
