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

/** Clock ticks of a second in /proc, the same on every Linux. */
const TICKS_PER_SECOND = 100;

/** Milliseconds of CPU time of a process, of all that it has started and that has ended, and of all below it that runs. */
export function treeCpuMs(pid: number): number {
  const running = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? (readStat(name) ?? []) : []));
  const ticksBelow = (parent: number): number =>
    running.filter((each) => each.parent === parent).reduce((sum, each) => sum + each.ticks + ticksBelow(each.pid), 0);
  const own = running.find((each) => each.pid === pid)?.ticks ?? 0;
  return ((own + ticksBelow(pid)) * 1_000) / TICKS_PER_SECOND;
}

/** Fields 4 and 14 to 17 of proc_pid_stat(5): the parent; user and system time, of itself and of its children that were waited for. */
function readStat(pid: string): { pid: number; parent: number; ticks: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the program's name in brackets, which may hold anything.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { pid: Number(pid), parent: Number(fields[1]), ticks };
  } catch {
    // It has ended since the folder was listed.
    return undefined;
  }
}
