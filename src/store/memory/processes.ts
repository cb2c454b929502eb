import type { ProcessStore } from "../contract/process-store.ts";
import type { MemoryData } from "./data.ts";

const retentionMs = 600_000;
const most = 64;

/** What processes tell of themselves: a map. The twin of redis/lua/report-process.lua. */
export function createMemoryProcesses(
  data: Pick<MemoryData, "processes">,
  now: () => number,
  count: (name: string) => void,
): ProcessStore {
  return {
    async report(id, text) {
      count("report-process");
      const nowMs = now();
      data.processes.set(id, { id, reportedMs: nowMs, text });
      const rows = [...data.processes.values()].sort(
        (a, b) => b.reportedMs - a.reportedMs || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0),
      );
      for (const [index, row] of rows.entries()) {
        if (index >= most || Math.abs(nowMs - row.reportedMs) > retentionMs) data.processes.delete(row.id);
      }
      return { nowMs, processes: rows.filter((row) => data.processes.has(row.id)), server: null, findings: [] };
    },
    async remove(id) {
      count("report-process");
      data.processes.delete(id);
    },
  };
}
