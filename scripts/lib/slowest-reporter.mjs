import { relative } from "node:path";
import { inRoot } from "./paths.mjs";

const SHOWN = 10;

/** A reporter of vitest: which files cost most CPU time, and how much the whole run did. */
export default class SlowestReporter {
  onTestRunEnd(modules) {
    const files = modules
      .map((module) => ({ file: relative(inRoot("."), module.moduleId), cpuMs: module.meta().cpuMs ?? 0 }))
      .sort((a, b) => b.cpuMs - a.cpuMs);
    const { user, system } = process.cpuUsage();
    process.stdout.write(`\n${describeSlowest(files, (user + system) / 1_000)}\n`);
  }
}

/** @param runnerMs CPU time of vitest's own process */
export function describeSlowest(files, runnerMs) {
  const totalMs = files.reduce((sum, { cpuMs }) => sum + cpuMs, runnerMs);
  const shown = files.slice(0, SHOWN);
  return [
    `CPU time: ${seconds(totalMs)} s, of these vitest itself ${seconds(runnerMs)} s. The ${shown.length} files that cost most:`,
    ...shown.map(({ file, cpuMs }) => `${seconds(cpuMs).padStart(8)} s  ${file}`),
  ].join("\n");
}

function seconds(ms) {
  return (ms / 1_000).toFixed(1);
}
