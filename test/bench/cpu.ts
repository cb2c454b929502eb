import { readFileSync } from "node:fs";

/** Hundredths of a second: what /proc counts in. */
const ticksPerSecond = 100;

/** User and system time of a process so far, in seconds. */
export function cpuSec(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}
