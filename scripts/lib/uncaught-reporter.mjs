import { writeFileSync } from "node:fs";

/** A reporter of vitest for what its JSON does not tell: how many errors no test caught, a worker that died among them. */
export default class UncaughtReporter {
  onTestRunEnd(_modules, unhandledErrors) {
    writeFileSync(process.env.USHER_UNCAUGHT_FILE, String(unhandledErrors.length));
  }
}
