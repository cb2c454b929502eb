import { fstatSync } from "node:fs";
import type { Writable } from "node:stream";
import type { DestinationStream } from "pino";
import { systemClock } from "./clock-and-random.ts";

/** The bytes kept for a reader that is slow or hangs. Further lines are dropped and counted. */
const waitingBytesMax = 4_194_304;
const stdout = 1;

type Output = Pick<Writable, "write" | "writableLength" | "on">;

export interface LogDestination extends DestinationStream {
  /** Resolves when nothing waits any more, or after so many milliseconds: a reader who hangs holds nobody up. */
  flush(withinMs: number): Promise<void>;
}

/**
 * Where a process's log goes if its standard output is a pipe or a socket: there a write that waits for the reader would stop the whole
 * process, signals with it. So what the reader does not take at once waits here. Undefined for files and terminals.
 */
export function pipedLog(): LogDestination | undefined {
  const stats = fstatSync(stdout);
  return stats.isFIFO() || stats.isSocket() ? createLogDestination(process.stdout) : undefined;
}

/** @param output that takes lines without waiting, and keeps those that its reader does not take */
export function createLogDestination(output: Output): LogDestination {
  let dropped = 0;
  // Nobody reads any more, and the process goes on.
  output.on("error", () => {});
  output.on("drain", () => {
    if (dropped === 0) return;
    const time = new Date(systemClock.now()).toISOString();
    const message = "the reader of this log was too slow";
    output.write(`${JSON.stringify({ level: 40, time, event: "log.lines_dropped", count: dropped, message })}\n`);
    dropped = 0;
  });
  return {
    write(line) {
      if (output.writableLength > waitingBytesMax) dropped++;
      else output.write(line);
    },
    flush(withinMs) {
      if (output.writableLength === 0) return Promise.resolve();
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, withinMs);
        // It comes after all that waits.
        output.write("", () => {
          clearTimeout(timer);
          resolve();
        });
      });
    },
  };
}
