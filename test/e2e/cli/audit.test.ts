/** The audit by `usher`, at a real gateway. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ADMIN_KEY } from "../../support/gateway.ts";
import { makeTempDir, type TempDir } from "../../support/temp-dir.ts";
import { runUsher, type Surroundings } from "../../support/usher-command.ts";
import { memoryStore, useWorld } from "../world.ts";

const world = useWorld(() => ({
  store: memoryStore,
  rooms: [{ id: "shop", inlet: { type: "manual", outflow_per_minute: 600 } }, { id: "bar" }],
}));
const keyed = (more: Surroundings = {}): Surroundings => ({
  ...more,
  env: { USHER_ADMIN: world().gateways[0]?.operatorsOrigin ?? "", USHER_ADMIN_API_KEY: ADMIN_KEY },
});
const usher = (...args: string[]) => runUsher(args, keyed());
const lastRow = async (): Promise<{ seq: number }> =>
  JSON.parse((await usher("audit", "--limit", "1", "--json")).printed)[0];
const rateOf = async () =>
  ((await world().admin.request("GET", "/rooms/shop")).json() as { outflow_limit: number }).outflow_limit;

let folder: TempDir;
beforeAll(async () => {
  folder = await makeTempDir("audit-command");
  for (const args of [
    ["rate", "shop", "900"],
    ["pause", "bar"],
    ["rate", "shop", "-1"],
  ])
    await usher(...args);
  await world().admin.request("PATCH", "/rooms/shop", { max_waiting: -1 });
});
afterAll(() => folder.remove());

test("shows who changed what in a table, the newest last, and what was refused", async () => {
  const { code, printed } = await usher("audit");
  expect(code).toBe(0);
  const [head, ...rows] = printed.split("\n");
  expect(head).toMatch(/^ROW +TIME +WHO +REQUEST +ROOM +RESULT +CHANGES$/);
  const at = (what: RegExp) => rows.findIndex((row) => what.test(row));
  const rate = at(/PATCH \/rooms\/:room +shop +done +\/inlet\/outflow_per_minute: 600 → 900/);
  expect(rate).toBeGreaterThanOrEqual(0);
  expect(at(/POST \/rooms\/:room\/pause +bar +done/)).toBeGreaterThan(rate);
  expect(at(/PATCH \/rooms\/:room +shop +400 /)).toBeGreaterThan(rate);
});

test("chooses rows as the gateway does", async () => {
  const routesOf = async (...args: string[]) =>
    (JSON.parse((await usher("audit", "list", "--json", ...args)).printed) as { route?: string }[]).map(
      (row) => row.route,
    );
  expect(await routesOf("--route", "/pause", "--since", "1h")).toEqual(["/rooms/:room/pause"]);
  expect(await routesOf("--room", "bar", "--result", "done")).toEqual(["/rooms/:room/pause"]);
  expect(await routesOf("--until", "1h")).toEqual([]);
  expect(await routesOf("--principal", "nobody")).toEqual([]);
  expect((await usher("audit", "--until", "1h")).printed).toBe("There are no such rows.");
});

test("undoes a change after a question, and only after it", async () => {
  await usher("rate", "shop", "700");
  const { seq } = await lastRow();
  const row = String(seq);
  expect(await usher("audit", "undo", row)).toMatchObject({
    code: 1,
    failure: expect.stringContaining("--yes does it"),
  });
  const no = await runUsher(["audit", "undo", row], keyed({ answers: ["no"] }));
  expect(no).toMatchObject({ code: 1, failure: "Nothing was changed." });
  expect(no.asked[0]).toMatch(/undo row \d+ at http.*outflow_per_minute: \d+ → 700.*would send PATCH \/rooms\/shop/);
  expect(await rateOf()).toBe(700);
  const yes = await runUsher(["audit", "undo", row], keyed({ answers: ["yes"] }));
  expect(yes).toMatchObject({ code: 0, printed: expect.stringContaining(`Row ${row} is undone: `) });
  expect(await rateOf()).toBe(900);
  // What has changed since is not undone.
  expect(await usher("audit", "undo", row, "--yes")).toMatchObject({
    code: 1,
    failure: expect.stringContaining("conflict"),
  });
});

test("undo of what was refused says so at once, with its code", async () => {
  expect((await world().admin.request("PATCH", "/rooms/shop", { max_waiting: -1 })).status).toBe(400);
  const { seq } = await lastRow();
  const failure = expect.stringContaining(`row ${seq} was refused (bad_request): there is nothing to undo`);
  expect(await usher("audit", "undo", String(seq), "--yes")).toMatchObject({ code: 1, failure });
  const answered = await runUsher(["audit", "undo", String(seq)], keyed({ answers: ["yes"] }));
  expect(answered).toMatchObject({ code: 1, failure, asked: [] });
  expect(await usher("audit", "undo", String(seq))).toMatchObject({ code: 1, failure });
});

test("undo of what has no way back says so at once", async () => {
  expect((await world().admin.request("POST", "/rooms/shop/serving", { increment_by: 1 })).status).toBe(200);
  const { seq } = await lastRow();
  const answered = await runUsher(["audit", "undo", String(seq)], keyed({ answers: ["yes"] }));
  expect(answered).toMatchObject({ code: 1, failure: expect.stringContaining("left no way back"), asked: [] });
});

test("follows, and shows each row once, until it is stopped", async () => {
  const stop = new AbortController();
  const following = runUsher(["audit", "--follow", "--limit", "1", "--json"], keyed({ stop: stop.signal }));
  await usher("resume", "bar");
  const { seq } = await lastRow();
  // Two looks.
  await new Promise((resolve) => setTimeout(resolve, 4_500));
  stop.abort();
  const { code, printed } = await following;
  expect(code).toBe(0);
  const seen = printed.split("\n").map((line) => (JSON.parse(line) as { seq: number }).seq);
  expect(seen.filter((each) => each === seq)).toHaveLength(1);
  expect(new Set(seen).size).toBe(seen.length);
});

test("exports rows whose chain usher verify-log finds whole, and an altered one broken", async () => {
  const file = join(folder.path, "audit.ndjson");
  expect(await usher("audit", "export", "--out", file)).toMatchObject({ code: 0 });
  expect(await usher("verify-log", file)).toMatchObject({
    code: 0,
    printed: expect.stringContaining("The chain holds."),
  });
  const exported = await readFile(file, "utf8");
  expect(exported).not.toContain(ADMIN_KEY);
  const altered = exported.replace('"/rooms/:room/pause"', '"/rooms/:room/open"');
  expect(altered).not.toBe(exported);
  await writeFile(file, altered);
  expect(await usher("verify-log", file)).toMatchObject({ code: 1, failure: expect.stringMatching(/row \d+/i) });
  // What is there already is evidence, perhaps.
  expect(await usher("audit", "export", "--out", file)).toMatchObject({
    code: 1,
    failure: expect.stringContaining("--replace writes over it"),
  });
  expect(await readFile(file, "utf8")).toBe(altered);
  expect(await usher("audit", "export", "--out", file, "--replace")).toMatchObject({ code: 0 });
  expect(await usher("verify-log", file)).toMatchObject({ code: 0 });
  const nowhere = join(folder.path, "missing", "audit.ndjson");
  expect(await usher("audit", "export", "--out", nowhere)).toMatchObject({
    code: 1,
    failure: expect.stringMatching(/cannot be written \(ENOENT\)/),
  });
});

test.each([
  [["audit", "--limit", "0"], 2, /expected a whole number from 1 to 50000/],
  [["audit", "--follow", "--until", "1h"], 2, /--follow has no end/],
  [["audit", "--since", "yesterday"], 1, /bad_request/],
  [["audit", "--result", "maybe"], 1, /bad_request/],
  [["audit", "--since", "99999999h"], 2, /before 1970/],
  [["audit", "undo", "x"], 2, /expected the number of a row/],
  [["audit", "undo", "99999999", "--yes"], 1, /not_found/],
  [["audit", "export"], 2, /--out/],
])("%j ends with %i and says why", async (args, code, failure) => {
  expect(await usher(...args)).toMatchObject({ code, failure: expect.stringMatching(failure), printed: "" });
});
