// Long: works for minutes beside stores that hang, are gone and are flooded; cells.test.ts has one that hangs.
import { expect, test } from "vitest";
import { type Cells, expectAllInTheirStores, startCells, takeOneAway } from "./cells.ts";

const spellMs = 6_000;

/** What the calm room does in so long, one login after the other; nothing of it fails. */
async function work({ http, origin, logIn }: Cells, forMs = spellMs): Promise<{ logins: number; versions: number }> {
  let logins = 0;
  const seen = new Set<unknown>();
  for (const sinceMs = performance.now(); performance.now() - sinceMs < forMs; logins++) {
    await logIn("calm");
    const status = await http.get(`${origin}/rooms/calm/status`);
    expect([status.status, status.json()]).toMatchObject([200, { availability: "ready" }]);
    seen.add((status.json() as { updated_at: unknown }).updated_at);
  }
  return { logins, versions: seen.size };
}

/** The machine is shared with other runs, so bounds are wide: what waits for a store that is silent takes 2 s, and is one in seconds. */
function expectAsBefore(now: Awaited<ReturnType<typeof work>>, before: Awaited<ReturnType<typeof work>>): void {
  console.log(JSON.stringify({ before, now }));
  expect(now.logins).toBeGreaterThan(before.logins / 3);
  // Ticks: about one a second.
  expect(now.versions).toBeGreaterThanOrEqual(Math.floor(before.versions / 2));
}

test("a room's line, codes, tokens and sessions are in its store, and nothing of them elsewhere", async () => {
  const cells = await startCells(true);
  await work(cells, 1_500);
  await expectAllInTheirStores(cells);
});

test.for(["hangs", "is gone"] as const)(
  "a store %s: the other room goes on, and its own recovers",
  { timeout: 180_000 },
  async (way) => {
    const cells = await startCells(true);
    await takeOneAway(cells, way, async (takeAway) => {
      await work(cells, 1_000);
      const before = await work(cells);
      await takeAway();
      expectAsBefore(await work(cells), before);
    });
  },
);

test("the store of what belongs to no room is away: rooms in others go on", async () => {
  const cells = await startCells(true);
  const { main, readyz } = cells;
  await work(cells, 1_000);
  const before = await work(cells);
  main.freeze();
  expectAsBefore(await work(cells), before);
  expect((await readyz()).status).toBe(200);
  main.thaw();
});

test("a store is flooded: the other room goes on", async () => {
  const cells = await startCells(true);
  const { b } = cells;
  await work(cells, 1_000);
  const before = await work(cells);
  // Each call keeps the server busy for most of a second; commands of the room wait behind them.
  const busy = "local n = 0 for i = 1, 40000000 do n = n + i end return n";
  let isFlooding = true;
  let calls = 0;
  const flood = (async () => {
    while (isFlooding) {
      await b.command("EVAL", busy, "0");
      calls++;
    }
  })();
  const during = await work(cells);
  isFlooding = false;
  await flood;
  expect(calls).toBeGreaterThan(2);
  expectAsBefore(during, before);
}, 180_000);
