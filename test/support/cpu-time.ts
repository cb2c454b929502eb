import { readdirSync, readFileSync } from "node:fs";

/** Milliseconds that all threads of a process have run so far, as finely as the scheduler knows (/proc/PID/task/TID/schedstat). */
export function cpuMs(pid: number): number {
  const folder = `/proc/${pid}/task`;
  return readdirSync(folder).reduce((sum, thread) => sum + nanoseconds(`${folder}/${thread}/schedstat`), 0) / 1e6;
}

function nanoseconds(file: string): number {
  try {
    return Number(readFileSync(file, "utf8").split(" ", 1)[0]);
  } catch (error) {
    // It has ended since its folder was listed.
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ESRCH")) return 0;
    throw error;
  }
}
