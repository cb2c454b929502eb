import type { ProcessStore } from "../contract/process-store.ts";
import type { Keys } from "./keys.ts";
import type { Runner } from "./runner.ts";
import { scripts } from "./scripts.ts";
import { readServerFacts, serverFindings } from "./server-facts.ts";
import type { ServerName } from "./server-name.ts";

const keptMs = 600_000;
const most = 64;

/** What processes tell of themselves, in Redis: one hash. */
export function createRedisProcesses(runner: Runner, keys: Keys, server: ServerName): ProcessStore {
  const report = (id: string, text: string) =>
    runner.run(scripts.reportProcess, { processes: keys.processes }, { id, text, kept_ms: keptMs, most });

  return {
    async report(id, text) {
      const { info, ...told } = await report(id, text);
      return { ...told, server: readServerFacts(info, server.arrangement), findings: serverFindings(info, server) };
    },
    async remove(id) {
      await report(id, "");
    },
  };
}
