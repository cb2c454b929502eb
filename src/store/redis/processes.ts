import type { ProcessStore } from "../contract/process-store.ts";
import type { Keys } from "./keys.ts";
import type { Runner } from "./runner.ts";
import { scripts } from "./scripts.ts";
import { readServerFacts, serverFindings } from "./server-facts.ts";
import type { ServerName } from "./server-name.ts";
import { type ClusterNode, readNode, type SlotMoves } from "./slot-moves.ts";

const retentionMs = 600_000;
const most = 64;

/**
 * What processes tell of themselves, in Redis: one hash.
 *
 * @param moves of the slots of a Cluster; null where there is none
 */
export function createRedisProcesses(
  runner: Runner,
  keys: Keys,
  server: ServerName,
  moves: SlotMoves | null,
): ProcessStore {
  /** The run that answered last, and when it was asked. */
  let last: { readonly runId: string; readonly sentMs: number } | null = null;

  const report = (id: string, text: string) =>
    runner.run(scripts.reportProcess, { processes: keys.processes }, { id, text, kept_ms: retentionMs, most });

  async function isMovedTo(here: ClusterNode): Promise<boolean> {
    if (last === null || last.runId === here.runId || moves === null) return false;
    return moves.isRecordMoved(keys.processes, last.runId, here, performance.now() - last.sentMs);
  }

  return {
    async report(id, text) {
      const sentMs = performance.now();
      const { info, ...reply } = await report(id, text);
      const here = readNode(info);
      const isMoved = await isMovedTo(here);
      last = { runId: here.runId, sentMs };
      return {
        ...reply,
        server: readServerFacts(info, server.arrangement),
        findings: serverFindings(info, server),
        isMoved,
      };
    },
    async remove(id) {
      await report(id, "");
    },
  };
}
