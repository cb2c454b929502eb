import { configDefaults, defineConfig } from "vitest/config";

/**
 * One project per kind of test, one kind after the other. Unit and contract tests run side by side, and so do
 * browser tests, which mostly wait; tests that start servers or faults run one file at a time, because they measure
 * time and share the machine.
 */
function project(name: string, order: number, options: { isSequential: boolean; timeoutMs: number }) {
  return {
    test: {
      name,
      include: [`test/${name}/**/*.test.ts`],
      exclude: [...configDefaults.exclude, "artifacts/**"],
      pool: "forks" as const,
      maxWorkers: options.isSequential ? 1 : 2,
      fileParallelism: !options.isSequential,
      sequence: { groupOrder: order },
      testTimeout: options.timeoutMs,
      hookTimeout: Math.max(60_000, options.timeoutMs),
      teardownTimeout: 30_000,
    },
  };
}

export default defineConfig({
  test: {
    watch: false,
    passWithNoTests: true,
    projects: [
      project("unit", 0, { isSequential: false, timeoutMs: 20_000 }),
      project("contract", 1, { isSequential: false, timeoutMs: 60_000 }),
      project("e2e", 2, { isSequential: true, timeoutMs: 180_000 }),
      project("browser", 3, { isSequential: false, timeoutMs: 180_000 }),
      project("fault", 4, { isSequential: false, timeoutMs: 900_000 }),
    ],
  },
});
