/** Which operations of a room store were called, and which answers they gave. */
import type {
  AdminStep,
  Admission,
  ClaimResult,
  LogRow,
  Outcome,
  RoomStore,
  StatisticsPage,
} from "../../src/store/contract/room-store.ts";
import type { StoreHarness } from "./harness.ts";

type Operation = Exclude<keyof RoomStore, "isLogWhole">;

const claims: Record<ClaimResult["result"], true> = {
  admitted: true,
  held: true,
  waiting: true,
  beyond: true,
  paused: true,
  expired: true,
  ended: true,
  left: true,
  moved: true,
  voided: true,
  closed: true,
  no_place: true,
  void: true,
  old_edition: true,
  newer_edition: true,
  answered: true,
  exhausted: true,
  too_many_addresses: true,
};
const steps: Record<AdminStep["step"], true> = {
  increment: true,
  pause: true,
  resume: true,
  alarm: true,
  phase: true,
  exited: true,
  stock: true,
  reset: true,
};
const rows: Record<LogRow["kind"], true> = {
  begin: true,
  state: true,
  admission: true,
  counts: true,
  increment: true,
  recovery: true,
  off: true,
};

/** A value that an operation answers, and how the answer is named here. */
type Naming = readonly [name: string, isIt: (value: never, args: readonly unknown[]) => boolean];

const something: Naming = ["something", (value: unknown) => value !== null];
const nothing: Naming = ["nothing", (value: unknown) => value === null];
const done: Naming = ["done", () => true];
const yesOrNo: readonly Naming[] = [true, false].map((said) => [String(said), (value: boolean) => value === said]);
const named = (names: object, nameOf: (value: never, args: readonly unknown[]) => unknown): Naming[] =>
  Object.keys(names).map((name) => [name, (value, args) => nameOf(value, args) === name]);

/** The answers that there are. An operation, or a result of a claim, that is not among them is an error of types. */
const answers: Readonly<Record<Operation, readonly Naming[]>> = {
  forget: [done],
  contribute: [
    ["recovering", ({ remainingMs }: { remainingMs: number }) => remainingMs > 0],
    ["present", ({ remainingMs }: { remainingMs: number }) => remainingMs === 0],
  ],
  tick: [
    ["all changes", ({ more }: { more: boolean }) => !more],
    ["a part of them", ({ more }: { more: boolean }) => more],
    ["moves", ({ moves }: { moves: readonly unknown[] }) => moves.length > 0],
    ["adaptive", ({ state }: { state: { adaptive?: unknown } }) => state.adaptive !== undefined],
    ["voids", ({ state }: { state: { voids: readonly unknown[] } }) => state.voids.length > 0],
    ["draws", ({ state }: { state: { draws: readonly unknown[] } }) => state.draws.length > 0],
  ],
  join: [
    ["all", ({ refusal }: { refusal: string | null }) => refusal === null],
    ["full", ({ refusal }: { refusal: string | null }) => refusal === "full"],
    ["closed", ({ refusal }: { refusal: string | null }) => refusal === "closed"],
    ["voided", ({ refusal }: { refusal: string | null }) => refusal === "voided"],
  ],
  entryBlocks: [
    ["rows", ({ rows }: { rows: string }) => rows !== ""],
    ["none", ({ rows }: { rows: string }) => rows === ""],
  ],
  voidEntries: named(
    { voided: 1, conflict: 1, closed: 1, behind: 1, too_many: 1 },
    ({ result }: { result: string }) => result,
  ),
  restoreEntries: named({ restored: 1, closed: 1, unknown: 1 }, ({ result }: { result: string }) => result),
  joinKeys: [
    ["all", ({ places }: { places: readonly { number: number }[] }) => places.every(({ number }) => number > 0)],
    ["full", ({ refusal }: { refusal: string | null }) => refusal === "full"],
    ["closed", ({ refusal }: { refusal: string | null }) => refusal === "closed"],
  ],
  listKeys: [
    ["none", ({ keys }: { keys: readonly unknown[] }) => keys.length === 0],
    ["some", ({ keys }: { keys: readonly unknown[] }) => keys.length > 0],
  ],
  claim: [
    ...Object.keys(claims).map((name): Naming => {
      return [name, (values: readonly ClaimResult[]) => values.some(({ result }) => result === name)];
    }),
    ...["recovery", "limit", "capacity"].map((by): Naming => {
      return [
        by,
        (values: readonly ClaimResult[]) => values.some((value) => value.result === "held" && value.by === by),
      ];
    }),
  ],
  leave: [done],
  move: [something, nothing],
  admissions: [
    ["something", (found: readonly (Admission | null)[]) => found.some((admission) => admission !== null)],
    ["nothing", (found: readonly (Admission | null)[]) => found.includes(null)],
  ],
  endAdmission: [something, nothing],
  renewAdmission: [something, nothing],
  recordVisit: [something, nothing],
  takeEndedLogins: [
    ["some", (value: readonly unknown[]) => value.length > 0],
    ["none", (value: readonly unknown[]) => value.length === 0],
  ],
  // In redis-pushes.test.ts it is `full`, too.
  keepPush: named({ kept: 1, over: 1 }, (answer: string) => answer),
  dropPush: [done],
  takePushes: [
    ["some", ({ taken }: { taken: readonly unknown[] }) => taken.length > 0],
    ["none", ({ taken }: { taken: readonly unknown[] }) => taken.length === 0],
    ["entries that are drawn", ({ undrawn }: { undrawn: readonly unknown[] }) => undrawn.length > 0],
  ],
  takeLogin: [something, nothing],
  listAdmissions: [
    ["a page", ({ cursor }: { cursor: number | null }) => cursor !== null],
    ["the last", ({ cursor }: { cursor: number | null }) => cursor === null],
  ],
  adminStep: [
    ...named(steps, (_, args) => (args[2] as AdminStep).step),
    ["conflict", (value: object) => "conflict" in value],
  ],
  repeatedStep: [
    nothing,
    ["conflict", (value: object | null) => value !== null && "conflict" in value],
    ["earlier answer", (value: object | null) => value !== null && "serving" in value],
  ],
  reportHealth: [something, nothing].map(([name, isIt]) => [name, (_, args) => isIt(args[2] as never, args)]),
  reportLoad: named({ probe: 1, site: 1 }, (_, args) => (args[2] as { source: string }).source),
  commitDraw: [done],
  fixDraw: yesOrNo,
  changeSettings: [something, nothing],
  readLog: [
    ["no rows", ({ rows }: { rows: readonly LogRow[] }) => rows.length === 0],
    ...Object.keys(rows).map(
      (kind): Naming => [kind, ({ rows }: { rows: readonly LogRow[] }) => rows.some((row) => row.kind === kind)],
    ),
  ],
  moveLogMark: yesOrNo,
  recordStatistics: [done],
  readStatistics: [
    ["nothing", ({ open }: StatisticsPage) => open === null],
    ["an open slot", ({ open, slots }: StatisticsPage) => open !== null && slots.length === 0],
    ["rows", ({ slots }: StatisticsPage) => slots.length > 0],
  ],
};

/** Operations that answer their value as it is, and need no incarnation. */
const withoutOutcome: ReadonlySet<Operation> = new Set([
  "forget",
  "contribute",
  "admissions",
  "listAdmissions",
  "readLog",
  "moveLogMark",
  "readStatistics",
  "entryBlocks",
]);

export function createAnswerWatch() {
  const seen = new Set<string>();

  function note(operation: Operation, args: readonly unknown[], answer: unknown): void {
    let value = answer;
    if (!withoutOutcome.has(operation)) {
      const outcome = answer as Outcome<unknown>;
      if (outcome.result !== "ok") {
        seen.add(outcome.result);
        return;
      }
      value = outcome.value;
    }
    for (const [name, isIt] of answers[operation]) if (isIt(value as never, args)) seen.add(`${operation}: ${name}`);
  }

  return {
    /** The same harness, of which the first client is watched. */
    watched<T extends StoreHarness>(harness: T): T {
      const rooms = new Proxy(harness.store.rooms, {
        get(target, operation: Operation) {
          const call = target[operation].bind(target) as (...args: unknown[]) => Promise<unknown>;
          return async (...args: unknown[]) => {
            const answer = await call(...args);
            note(operation, args, answer);
            return answer;
          };
        },
      });
      const store = new Proxy(harness.store, {
        get: (target, name) => (name === "rooms" ? rooms : Reflect.get(target, name)),
      });
      return { ...harness, store };
    },
    /** Answers that were not given yet. */
    missing(): string[] {
      const all = Object.entries(answers).flatMap(([operation, names]) =>
        names.map(([name]) => `${operation}: ${name}`),
      );
      return ["recover", "recovering", ...all].filter((name) => !seen.has(name));
    },
  };
}
