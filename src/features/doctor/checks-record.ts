import { z } from "zod";
import type { Clock, Random } from "../../lib/clock-and-random.ts";
import { UsherError } from "../../lib/errors.ts";
import type { Finding } from "../../lib/finding.ts";
import { createPreparations, type Somebody, somebody } from "../../registry/index.ts";
import type { SharedDocuments } from "../../store/contract/room-store.ts";

/** Times are milliseconds of the store's wall clock. */
const checksRun = z.object({ id: z.string(), by: somebody, began_ms: z.number() });
const finding = z.object({ about: z.string(), status: z.enum(["ok", "warning", "fault"]), text: z.string() });
const recordedChecks = z.object({
  running: checksRun.nullable(),
  checks: checksRun.extend({ ended_ms: z.number(), findings: z.array(finding) }).nullable(),
});
/** The run that goes on, and the last that ended. */
export type RecordedChecks = z.output<typeof recordedChecks>;

/** Checks that take longer have broken off, with their process say. */
export const checksLongestMs = 120_000;
/** Findings of one run, and the characters of each: a room of many clients has hundreds. */
const findingsMax = 500;
const textMax = 1_000;

export type ChecksRecord = ReturnType<typeof createChecksRecord>;

/** The checks of each room, of which one run goes on at a time in all processes. @param clock the store's */
export function createChecksRecord(documents: SharedDocuments, clock: Clock, random: Random) {
  const { read, update } = createPreparations(documents, recordedChecks, { running: null, checks: null });
  const withoutBrokenRun = (content: RecordedChecks): RecordedChecks => {
    const isRunning = content.running !== null && clock.now() < content.running.began_ms + checksLongestMs;
    return isRunning ? content : { ...content, running: null };
  };

  return {
    /** @throws StoreUnavailableError */
    read: async (room: string): Promise<RecordedChecks> => withoutBrokenRun(await read(room)),

    /** Of any number of calls at once one begins. @returns its id @throws UsherError `conflict` where checks go on, `store_unavailable` */
    async begin(room: string, by: Somebody): Promise<{ id: string; now: RecordedChecks }> {
      const id = random.bytes(9).toString("base64url");
      const now = await update(room, (content) => {
        const { running, checks } = withoutBrokenRun(content);
        if (running !== null) throw underWay(running.by);
        return { running: { id, by, began_ms: Math.floor(clock.now()) }, checks };
      });
      return { id, now };
    },

    /** Does nothing where others have begun since. @throws UsherError `conflict`, `store_unavailable` */
    async end(room: string, id: string, findings: readonly Finding[]): Promise<void> {
      const bounded = findings.slice(0, findingsMax).map((each) => ({ ...each, text: each.text.slice(0, textMax) }));
      await update(room, (content) => {
        const { running } = withoutBrokenRun(content);
        if (running?.id !== id) return null;
        return { running: null, checks: { ...running, ended_ms: Math.floor(clock.now()), findings: bounded } };
      });
    },
  };
}

function underWay({ name, id }: Somebody): UsherError {
  return new UsherError(
    "conflict",
    `checks of this room are under way, begun by ${name ?? id}: their result is for all`,
  );
}
