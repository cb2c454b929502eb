import { readFileSync } from "node:fs";

/** Clock ticks of a second in /proc, the same on every Linux. */
const TICKS_PER_SECOND = 100;

/** Milliseconds of CPU time that this process took. */
export function processCpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Milliseconds of CPU time that this process took, and all that it started and waited for (Linux; elsewhere itself alone). */
export function ownCpuMs() {
  return processCpuMs() + childrenCpuMs();
}

/** Fields 16 and 17 of proc_pid_stat(5). */
function childrenCpuMs() {
  try {
    const text = readFileSync("/proc/self/stat", "utf8");
    // The second field is the program's name in brackets, which may hold anything.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return ((Number(fields[13]) + Number(fields[14])) * 1_000) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}
