// Long: simulates an event of 100,000 admissions.
/**
 * Goal: the log of a large event holds, the report on it is right, and one altered line is found, whatever was done to it. Method: an
 * event of 100,000 admissions is simulated on the memory store, with people who come late, people who never come, a pause, and a loss
 * of the store in the middle; what is reported is compared with what the simulation did; lines are altered by a seeded choice.
 */
import { beforeAll, expect, test } from "vitest";
import { createReport, type FairnessReport } from "../../../../src/features/report/shared/create-report.ts";
import { GatheredLog } from "../../../../src/features/report/shared/gathered.ts";
import { reportHtml } from "../../../../src/features/report/shared/html.ts";
import { type ChainHead, LogVerifier } from "../../../../src/room/admission-log/index.ts";
import { createRoomLog, type RoomLog } from "../../../../src/room/operator/room-log.ts";
import { createMemoryHarness } from "../../../contract/memory-harness.ts";
import { type Place, RoomDriver, settings } from "../../../contract/room-driver.ts";
import { inversionsByTree } from "../../../support/fenwick.ts";
import { createSeededRandom } from "../../../support/seeded-random.ts";

const seed = process.env.LOG_SEED ?? "20310510";
const wanted = 100_000;
const limit = 30_000;
const lateBy = 3_000;
const noShowShare = 0.04;

let lines: string[] = [];
const heads: ChainHead[] = [];
const admitted: number[] = [];
let missing = 0;

beforeAll(async () => {
  const random = createSeededRandom(seed);
  const harness = await createMemoryHarness({ isShared: true });
  const file = settings({ limit, logRows: 1_000_000 });
  const room = await new RoomDriver(harness, "big", file).open();
  const state = { now: await room.state() };
  const log = createRoomLog({
    id: "big",
    name: "big",
    store: room.rooms,
    clock: { now: () => harness.nowMs() },
    emit: (_, sealed) => heads.push(sealed as ChainHead),
    get state() {
      return state.now;
    },
  });
  const coming: { place: Place; key: number }[] = [];
  const people = Math.ceil(wanted / (1 - noShowShare)) + 500;
  for (let joined = 0; joined < people; joined += 10_000) {
    const range = await room.join(Math.min(10_000, people - joined));
    for (let position = range.first; position <= range.last; position++) {
      // Whoever does not come is left out; the others come behind some who are after them.
      if (random.fraction() < noShowShare) continue;
      coming.push({ place: room.place(range, position), key: position + lateBy * random.fraction() ** 4 });
    }
  }
  coming.sort((a, b) => a.key - b.key);
  await room.serve(people);

  let next = 0;
  let hasLost = false;
  for (let second = 0; admitted.length < wanted; second++) {
    await harness.advance(1_000);
    state.now = await room.state();
    await log.keep();
    if (second === 60) await room.step({ step: "pause" });
    if (second === 90) await room.step({ step: "resume" });
    if (!hasLost && admitted.length > wanted / 2) {
      hasLost = true;
      const memory = await room.memory();
      missing = state.now.log.last - state.now.log.sealed.seq;
      lines = await linesOf(log);
      await harness.wipe();
      await room.recover(memory);
      continue;
    }
    for (; next < coming.length && admitted.length < wanted; next++) {
      const place = coming[next]?.place as Place;
      const answer = await room.claim(place);
      if (answer.result !== "admitted") break;
      admitted.push(place.position);
    }
  }
  await room.pass(62_000);
  state.now = await room.state();
  await log.keep();
  lines.push(...(await linesOf(log)).slice(1));
});

async function linesOf(log: RoomLog): Promise<string[]> {
  const found: string[] = [];
  for await (const chunk of await log.lines(0)) found.push(...chunk.split("\n").filter((line) => line !== ""));
  return found;
}

function read(texts: Iterable<string>) {
  const verifier = new LogVerifier(heads);
  const log = new GatheredLog();
  for (const text of texts) {
    const line = verifier.take(text);
    if (line !== null) log.take(line);
  }
  return { verification: verifier.result(), log };
}

test(`holds with every head that was told, and the report says what happened (seed ${seed})`, () => {
  const { verification, log } = read(lines);
  expect(verification).toMatchObject({ room: "big", fault: null, base: { seq: 0 } });
  expect(heads.length).toBeGreaterThan(5);
  expect(verification.heads.every(({ result }) => result === "matches")).toBe(true);
  expect(verification.missing).toHaveLength(1);
  const [hole] = verification.missing;
  expect((hole?.recovery?.heard ?? 0) - (hole?.from ?? 0) + 1).toBe(0);
  expect(missing).toBeGreaterThanOrEqual(0);

  const report = createReport(log, verification, null) as FairnessReport;
  const { json } = report;
  expect(json).toMatchObject({
    admissions: { total: wanted, via: { queue: wanted } },
    order: { admissions: wanted, inversions: inversionsByTree(admitted), ties: 0 },
    outflow: { windows_over_limit: 0 },
    interruptions: [{ kind: "paused", reason: "operator" }],
    recoveries: [{}],
    counts: { entered: wanted },
  });
  const { inversions, pairs, kendall_tau, displacement } = json.order;
  expect(kendall_tau).toBeCloseTo(1 - (2 * inversions) / pairs, 12);
  expect(kendall_tau).toBeLessThan(1);
  expect(displacement?.max).toBeLessThanOrEqual(lateBy);
  expect(json.outflow.largest_60_seconds).toBeLessThanOrEqual(limit);
  expect(json.outflow.largest_60_seconds).toBeGreaterThan(0.98 * limit);
  expect(json.wait_ms?.count).toBe(wanted);
  expect(reportHtml(report).length).toBeLessThan(200_000);
});

const alterations: Record<string, (index: number) => { altered: string[]; line: number }> = {
  changed: (index) => ({
    altered: lines.with(index, at(index).replace(/"at":"(.{19})/, '"at":"2031-01-01T00:00:00')),
    line: index + 1,
  }),
  removed: (index) => ({ altered: lines.toSpliced(index, 1), line: index + 1 }),
  swapped: (index) => ({ altered: lines.with(index, at(index + 1)).with(index + 1, at(index)), line: index + 1 }),
  inserted: (index) => ({ altered: lines.toSpliced(index, 0, at(index - 1)), line: index + 1 }),
};

function at(index: number): string {
  const line = lines[index];
  if (line === undefined) throw new Error(`no line ${index}`);
  return line;
}

test.each(Object.entries(alterations))(`one line that was %s is found (seed ${seed})`, (name, alter) => {
  const random = createSeededRandom(`${seed}-${name}`);
  for (let turn = 0; turn < 3; turn++) {
    const { altered, line } = alter(1 + Math.floor(random.fraction() * (lines.length - 2)));
    expect(read(altered).verification.fault?.line).toBe(line);
  }
});
