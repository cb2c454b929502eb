import { tmpdir } from "node:os";
import { join } from "node:path";
import { configDefaults, defineConfig } from "vitest/config";
import { FaultsFirstJourneysLast } from "./test/support/file-order.ts";

/** Files that share one Redis take turns: each removes the keys of all when it ends. */
const isRedisShared = (process.env.REDIS_URL ?? "") !== "";

interface ProjectOptions {
  filesAtOnce: number;
  timeoutMs: number;
  isolate?: boolean;
  /** Of the files `*.long.test.ts`, which `npm run test:long` runs. */
  isLong?: boolean;
  surroundings?: typeof browsersFolder;
}

/** What browsers leave behind that end with their process goes with it. */
const browsersFolder = {
  env: { TMPDIR: join(tmpdir(), `usher-browsers-${process.pid}`) },
  globalSetup: ["test/support/browsers-folder.ts"],
};

/**
 * One project per kind of test, one kind after the other (`order`), and the files of a kind side by side: two of them, as on two
 * cores, since many measure time (long ones of faults take turns); three of the contract's, whose time stands still.
 * Files of a kind that are many and short share their processes, and so what they import: nothing in src/ keeps state
 * in a module, and a test that changes the process puts it back.
 */
function project(kind: Kind, order: number, options: ProjectOptions) {
  const isLong = options.isLong ?? false;
  // A feature's tests lie in a folder of their own, so that they go with it.
  const folders = [`test/${kind}`, `test/features/*/${kind}`];
  const longFiles = folders.map((folder) => `${folder}/**/*.long.test.ts`);
  // It ends what hangs. A long test that goes on is not hanging.
  const timeoutMs = isLong ? Math.max(300_000, options.timeoutMs) : options.timeoutMs;
  return {
    // The console's list of screens names their components.
    oxc: { jsx: { runtime: "automatic" as const, importSource: "preact" } },
    test: {
      name: isLong ? `${kind}-long` : kind,
      include: isLong ? longFiles : folders.map((folder) => `${folder}/**/*.test.ts`),
      exclude: [...configDefaults.exclude, "artifacts/**", ...(isLong ? [] : longFiles)],
      pool: "forks" as const,
      isolate: options.isolate ?? true,
      maxWorkers: options.filesAtOnce,
      fileParallelism: options.filesAtOnce > 1,
      sequence: { groupOrder: order },
      setupFiles: ["test/support/file-cpu.ts"],
      testTimeout: timeoutMs,
      hookTimeout: Math.max(60_000, timeoutMs),
      teardownTimeout: 30_000,
      // A line of a log comes through a pipe, and may be behind the answer that was given after it.
      expect: { poll: { timeout: 30_000 } },
      ...options.surroundings,
    },
  };
}

const filesOfGateways = isRedisShared ? 1 : 2;

const kinds = {
  // What takes five seconds alone takes many times as long where others use the cores, too.
  unit: { filesAtOnce: 2, timeoutMs: 120_000, isolate: false },
  contract: { filesAtOnce: 3, timeoutMs: 60_000, isolate: false },
  e2e: { filesAtOnce: filesOfGateways, timeoutMs: 180_000, isolate: false },
  browser: { filesAtOnce: 2, timeoutMs: 180_000, isolate: false, surroundings: browsersFolder },
  fault: { filesAtOnce: filesOfGateways, timeoutMs: 900_000, isolate: false },
} satisfies Record<string, ProjectOptions>;
type Kind = keyof typeof kinds;
const entries = Object.entries(kinds) as [Kind, ProjectOptions][];

const order: Record<Kind, number> = { unit: 0, contract: 1, e2e: 2, fault: 2, browser: 3 };

/**
 * Long tests of faults take turns: one measures for minutes how exact the outflow is, another how long a slow phone takes, which others on
 * the same cores would change.
 */
function longOptions(kind: Kind) {
  return { isLong: true, ...(kind === "fault" && { filesAtOnce: 1 }) };
}

export default defineConfig({
  test: {
    watch: false,
    passWithNoTests: true,
    sequence: { sequencer: FaultsFirstJourneysLast },
    projects: [
      // Faults wait more than they work: beside the end-to-end tests they cost no time of their own.
      ...entries.map(([kind, options]) => project(kind, order[kind], options)),
      ...entries.map(([kind, options], i) => project(kind, entries.length + i, { ...options, ...longOptions(kind) })),
    ],
  },
});
