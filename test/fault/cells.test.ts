import { expect, test } from "vitest";
import { expectAllInTheirStores, startCells, takeOneAway } from "./cells.ts";
import { newPerson, visit } from "./people.ts";

test("a store hangs: the other room goes on, and its own recovers", { timeout: 180_000 }, async () => {
  const cells = await startCells(false);
  const { http, origin, logIn } = cells;
  await logIn("calm");
  await expectAllInTheirStores(cells);
  await takeOneAway(cells, "hangs", async (takeAway) => {
    await takeAway();
    // This one waits for the store, for two seconds, before it is given up on.
    const held = visit(http, origin, newPerson("held")).then(() => "held");
    expect(await Promise.race([logIn("calm").then(() => "calm"), held])).toBe("calm");
    await held;
    for (let login = 0; login < 3; login++) await logIn("calm");
  });
});
