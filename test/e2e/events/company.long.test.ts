// Long: waits for fifteen seconds; that a process that is gone is forgotten is in the test of health, too.
import { expect, test } from "vitest";
import { ADMIN_KEY } from "../../support/gateway.ts";
import { useWorld } from "../world.ts";
import { companyWorld, deskKey, watch } from "./company.ts";

const world = useWorld(() => ({ ...companyWorld, asProcess: true }));

test("the people of a gateway that was killed are gone within fifteen seconds", async () => {
  const ops = await watch(world().gateways[0], ADMIN_KEY, "?room=shop");
  await watch(world().gateways[1], deskKey, "?room=shop");
  await expect.poll(() => ops.company()?.people).toHaveLength(1);
  await world().gateways[1]?.kill();
  await expect.poll(() => ops.company()?.people).toEqual([]);
});
