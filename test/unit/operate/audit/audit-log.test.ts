/**
 * Goal: what the chain of the audit shows, over losses in the store, and how many rows one can force. Method: processes of their own at
 * one memory store, whose rows are altered, lost and put back; the exported lines are checked as `usher verify-log` does.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemRandom } from "../../../../src/lib/clock-and-random.ts";
import { StoreUnavailableError } from "../../../../src/lib/errors.ts";
import { createLogger } from "../../../../src/lib/logger.ts";
import {
  type AuditEntry,
  createAuditLog,
  csvHead,
  csvLine,
  type RequestLine,
  readAuditRow,
} from "../../../../src/operate/audit/index.ts";
import { auditBaseLine, LogVerifier, sealLine } from "../../../../src/room/admission-log/index.ts";
import type { AuditStore } from "../../../../src/store/contract/room-store.ts";
import { createMemoryData } from "../../../../src/store/memory/data.ts";
import { createMemoryStore } from "../../../../src/store/memory/index.ts";
import { createMovedClock } from "../../../support/moved-clock.ts";

const entry: AuditEntry = {
  principal: { kind: "key", id: "ops", role: "admin" },
  address: "203.0.113.9",
  method: "PATCH",
  route: "/rooms/:room",
  room: "tickets",
  subject: {},
  changes: [{ member: "/max_waiting", from: 10, to: 20 }],
  inverse: { method: "PATCH", path: "/rooms/tickets", body: { max_waiting: 10 } },
  undoes: null,
  request_id: "r-1",
  status: 200,
  error: null,
};
const refused = (address: string): AuditEntry => ({
  ...entry,
  principal: null,
  address,
  changes: [],
  inverse: null,
  status: 401,
  error: "unauthorized",
});

function world({ rowsMax = 1_000 } = {}) {
  const clock = createMovedClock();
  const data = createMemoryData("run");
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger("info", { write: (line: string) => void lines.push(JSON.parse(line)) });
  const real = createMemoryStore({ clock, random: systemRandom, data }).audit;
  let fault: "none" | "away" | "no answer" = "none";
  const unlessAway = <Args extends unknown[], Answer>(call: (...args: Args) => Promise<Answer>) => {
    return async (...args: Args) => {
      if (fault === "away") throw new StoreUnavailableError();
      return call(...args);
    };
  };
  const store: AuditStore = {
    head: unlessAway(real.head),
    read: unlessAway(real.read),
    append: unlessAway(async (...args) => {
      const answer = await real.append(...args);
      if (fault === "no answer") throw new StoreUnavailableError();
      return answer;
    }),
  };
  return {
    clock,
    data,
    lines,
    process: (restoredFile = "/nowhere/that/is") =>
      createAuditLog({ store, clock, random: systemRandom, logger, restoredFile, rowsMax }),
    fail(how: typeof fault) {
      fault = how;
    },
    requests: () => data.audit.map(readAuditRow).filter((line): line is RequestLine => line.kind === "request"),
    exported: () => [
      auditBaseLine(data.audit[0]?.before ?? { seq: 0, hash: "" }),
      ...data.audit.map(({ text, hash }) => sealLine(text, hash)),
    ],
  };
}

function verified(lines: readonly string[]) {
  const verifier = new LogVerifier();
  for (const line of lines) verifier.take(line);
  return verifier.result();
}

test("two processes append to one chain, which begins once; each row is a line of the log", async () => {
  const { process, exported, requests, lines } = world();
  const [one, other] = [process(), process()];
  await Promise.all(
    Array.from({ length: 40 }, (_, i) => (i % 2 ? one : other).record({ ...entry, request_id: `r-${i}` })),
  );
  expect(verified(exported())).toMatchObject({ fault: null, isAudit: true, rows: 41, missing: [], first: 1 });
  expect(new Set(requests().map((row) => row.request_id)).size).toBe(40);
  expect(lines.filter(({ event }) => event === "audit.row")).toHaveLength(40);
});

test("an altered row, a removed one, an inserted one and two that were swapped are found", async () => {
  const { process, exported } = world();
  const log = process();
  for (let i = 0; i < 6; i++) await log.record({ ...entry, request_id: `r-${i}` });
  const lines = exported();
  const [a, b] = [lines[3] ?? "", lines[4] ?? ""];
  expect(verified(lines).fault).toBeNull();
  expect(verified(lines.with(3, a.replace('"ops"', '"eve"'))).fault?.line).toBe(4);
  expect(verified(lines.toSpliced(3, 1)).fault?.line).toBe(4);
  expect(verified(lines.toSpliced(3, 0, b)).fault?.line).toBe(4);
  expect(verified(lines.with(3, b).with(4, a)).fault?.line).toBe(4);
  expect(verified(lines.with(0, auditBaseLine({ seq: 0, hash: "0".repeat(64) }))).fault?.line).toBe(1);
});

test("the oldest rows leave, and the rest is checked from the one before them", async () => {
  const { process, exported } = world({ rowsMax: 5 });
  const log = process();
  for (let i = 0; i < 12; i++) await log.record(entry);
  expect(verified(exported())).toMatchObject({ fault: null, rows: 5, first: 9, base: { seq: 8 } });
});

test("rows of a backup are put once, before any other, into a store that has none; a store that has its own keeps them", async () => {
  const first = world();
  const log = first.process();
  for (let i = 0; i < 250; i++) await log.record({ ...entry, request_id: `r-${i}` });
  const file = join(tmpdir(), `usher-audit-${process.pid}.ndjson`);
  const restored = first.exported().map((line) => `${JSON.stringify(JSON.parse(line))}\n`);
  const [restoring, other] = [world(), world()];
  await other.process().record(entry);
  for (const each of [other, restoring]) {
    writeFileSync(file, restored.join(""));
    const logs = [each.process(file), each.process(file)];
    await Promise.all(logs.map((one) => one.record({ ...entry, request_id: "later" })));
  }
  expect(verified(other.exported())).toMatchObject({ fault: null, rows: 4 });
  expect(verified(restoring.exported())).toMatchObject({ fault: null, rows: 253, first: 1, missing: [] });
  expect(restoring.exported().slice(0, 252)).toEqual(first.exported());
  expect(existsSync(file)).toBe(false);
  // Rows of others are newer: these are put aside.
  expect(readFileSync(`${file}.not-used`, "utf8")).toBe(restored.join(""));
  rmSync(`${file}.not-used`);
});

test("rows of a backup that cannot be read are told of once, and keep no other row away", async () => {
  const { process, exported, lines } = world();
  const log = process(tmpdir());
  await log.record(entry);
  await log.record(entry);
  expect(verified(exported())).toMatchObject({ fault: null, rows: 3 });
  expect(lines.filter(({ event }) => event === "audit.not_restored")).toHaveLength(1);
});

test("a store that was emptied, or put back: the chain says what is missing and goes on", async () => {
  const { process, exported, data, lines } = world();
  const log = process();
  for (let i = 0; i < 5; i++) await log.record(entry);
  const old = structuredClone(data.audit);
  data.audit.length = 0;
  await log.record(entry);
  expect(verified(exported())).toMatchObject({ fault: null, base: { seq: 6 }, first: 10_007, rows: 2 });
  data.audit.splice(0, data.audit.length, ...old.slice(0, 3));
  await log.record(entry);
  const result = verified(exported());
  expect(result).toMatchObject({ fault: null, rows: 5 });
  expect(result.missing).toMatchObject([{ from: 4, recovery: { heard: 10_008 } }]);
  expect(lines.filter(({ event }) => event === "audit.rows_lost")).toHaveLength(2);
});

test("what nobody remembers: another chain begins, by another hash", async () => {
  const { process, data } = world();
  await process().record(entry);
  const [before] = data.audit.splice(0);
  await process().record(entry);
  expect(data.audit[0]).toMatchObject({ seq: 1, before: before?.before });
  expect(data.audit[0]?.hash).not.toBe(before?.hash);
});

test("while the store is away rows wait, in the log already; once it is back each is there once", async () => {
  const { process, exported, requests, fail, lines } = world();
  const log = process();
  await log.record({ ...entry, request_id: "before" });
  fail("away");
  await log.record({ ...entry, request_id: "away", status: 503, error: "store_unavailable" });
  fail("no answer");
  await log.record({ ...entry, request_id: "no answer" });
  expect(lines.map(({ event }) => event)).toEqual(["audit.row", "audit.row", "audit.waiting", "audit.row"]);
  fail("none");
  await log.record({ ...entry, request_id: "after" });
  expect(requests().map((row) => row.request_id)).toEqual(["before", "away", "no answer", "after"]);
  expect(verified(exported()).fault).toBeNull();
});

test("rows that were appended though the answer was lost are not appended again", async () => {
  const { process, exported, requests, fail } = world();
  const log = process();
  await log.record(entry);
  const head = exported().length;
  fail("no answer");
  await log.record({ ...entry, request_id: "lost" });
  expect(exported().length).toBe(head + 1);
  fail("none");
  await log.record({ ...entry, request_id: "next" });
  expect(exported().length).toBe(head + 2);
  expect(requests().map((row) => row.request_id)).toEqual(["r-1", "lost", "next"]);
});

test("rows of failures are bounded, for each address and for strangers together; the next row counts the rest", async () => {
  const { process, requests, clock, lines } = world();
  const log = process();
  for (let i = 0; i < 500; i++) await log.record(refused("203.0.113.7"));
  expect(requests()).toHaveLength(20);
  for (let i = 0; i < 2_000; i++) await log.record(refused(`198.51.${i % 100}.${i % 250}`));
  expect(requests().length).toBeLessThanOrEqual(51);
  const before = requests().length;
  await log.record(entry);
  const rows = requests();
  expect(rows).toHaveLength(before + 1);
  expect(rows.reduce((sum, { unlogged }) => sum + unlogged, rows.length)).toBe(2_501);
  expect(lines).toHaveLength(rows.length);
  clock.advance(5 * 60_000);
  await log.record(refused("203.0.113.7"));
  await log.stop();
  expect(requests()).toHaveLength(before + 2);
});

test("rows of what strangers do without a fault are bounded too, and no flood of failures hides the first of them", async () => {
  const { process, requests } = world();
  const log = process();
  for (let i = 0; i < 500; i++) await log.record(refused(`198.51.${i % 100}.${i % 250}`));
  const ofFailures = requests().length;
  const opened = (address: string): AuditEntry => ({ ...refused(address), status: 303, error: null });
  for (let i = 0; i < 200; i++) await log.record(opened("203.0.113.7"));
  expect(requests()).toHaveLength(ofFailures + 20);
  for (let i = 0; i < 2_000; i++) await log.record(opened(`198.51.${i % 100}.${i % 250}`));
  await log.stop();
  expect(requests()).toHaveLength(ofFailures + 50);
});

test("of what a program reports again and again one a minute has a row", async () => {
  const { process, requests, clock } = world();
  const log = process();
  for (let second = 0; second < 180; second++) {
    await log.record(entry, "key monitor /rooms/:room/load tickets");
    clock.advance(1_000);
  }
  expect(requests().map(({ unlogged }) => unlogged)).toEqual([0, 59, 59]);
});

test("a row is of bounded length: of a change that is larger it names the members", async () => {
  const { process, requests } = world();
  const changes = Array.from({ length: 500 }, (_, i) => ({ member: `/text/${i}`, from: "x".repeat(100), to: "y" }));
  await process().record({ ...entry, changes });
  const [row] = requests();
  expect(JSON.stringify(row).length).toBeLessThan(20_000);
  expect(row).toMatchObject({ inverse: null, changes: expect.arrayContaining([{ member: "/text/0" }]) });
});

test("no cell of the table is a formula", () => {
  const line: RequestLine = { seq: 1, at: "2031-05-10T09:00:00.000Z", kind: "request", unlogged: 0, ...entry };
  const evil = csvLine({ ...line, room: '=HYPERLINK("x")', route: "@x", request_id: "-1+1", address: "+1\n2" });
  expect(evil).toContain(`"'=HYPERLINK(""x"")"`);
  for (const cell of ["'@x", "'-1+1", `"'+1\n2"`]) expect(evil).toContain(cell);
  expect(csvHead.split(",")).toHaveLength(16);
});
