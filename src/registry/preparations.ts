import { z } from "zod";
import type { Clock } from "../lib/clock.ts";
import { UsherError } from "../lib/errors.ts";
import type { Random } from "../lib/random.ts";
import type { SharedDocuments } from "../store/contract/room-store.ts";

/** Whoever is known by an admin key, or has signed in. */
const somebody = z.object({ kind: z.string(), id: z.string(), name: z.string().nullable() });
const checked = z.object({
  about: z.string(),
  status: z.enum(["ok", "warning", "fault"]),
  text: z.string(),
});
/** Times are milliseconds of the store's wall clock. */
const checksRun = z.object({ id: z.string(), by: somebody, began_ms: z.number() });
const checksResult = checksRun.extend({ ended_ms: z.number(), findings: z.array(checked) });
const rehearsed = z.object({
  by: somebody,
  at_ms: z.number(),
  /** As the command told it. */
  result: z.record(z.string(), z.unknown()),
  /** The room's, as they were written when it ended. */
  settings: z.record(z.string(), z.unknown()),
});
const preparation = z.object({
  running: checksRun.nullable(),
  checks: checksResult.nullable(),
  rehearsal: rehearsed.nullable(),
});

export type Somebody = z.output<typeof somebody>;
export type Checked = z.output<typeof checked>;
/** What was found out about a room before its sale: by its checks, and by its last rehearsal. */
export type Preparation = z.output<typeof preparation>;

const nothing: Preparation = { running: null, checks: null, rehearsal: null };
/** Checks that take longer have broken off, with their process say. */
export const checksLongestMs = 120_000;
/** Findings of one run, and the characters of each: a room of many clients has hundreds. */
const findingsMax = 500;
const textMax = 1_000;
const attemptsMax = 5;

export type Preparations = ReturnType<typeof createPreparations>;

/** Kept in the store for all processes. Losing it costs another run. @param clock the store's */
export function createPreparations(documents: SharedDocuments, clock: Clock, random: Random) {
  async function readOf(room: string): Promise<{ readonly version: number; readonly content: Preparation }> {
    const found = await documents.exchange(nameOf(room), null);
    if (found === null || found === "unchanged") return { version: 0, content: nothing };
    return { version: found.version, content: contentOf(found.text, clock.now()) };
  }

  /** @param change null where there is nothing to change @throws UsherError `conflict`, `store_unavailable` */
  async function update(room: string, change: (content: Preparation) => Preparation | null): Promise<Preparation> {
    for (let attempt = 0; attempt < attemptsMax; attempt++) {
      const { version, content } = await readOf(room);
      const changed = change(content);
      if (changed === null) return content;
      const answer = await documents.replace(nameOf(room), JSON.stringify(changed), version);
      if (answer.result === "ok") return changed;
      if (answer.result === "settling") {
        throw new UsherError("store_unavailable", "the store was restarted just now; try again in a few seconds", {
          retryAfterSec: Math.ceil(answer.remainingMs / 1_000),
        });
      }
    }
    throw new UsherError("conflict", "others are checking this room just now; try again");
  }

  return {
    /** @throws StoreUnavailableError */
    read: async (room: string): Promise<Preparation> => (await readOf(room)).content,

    /** Of any number of calls at once one begins. @returns its id @throws UsherError `conflict` where checks go on, `store_unavailable` */
    async beginChecks(room: string, by: Somebody): Promise<{ id: string; now: Preparation }> {
      const id = random.bytes(9).toString("base64url");
      const now = await update(room, (content) => {
        if (content.running !== null) throw underWay(content.running.by);
        return { ...content, running: { id, by, began_ms: Math.floor(clock.now()) } };
      });
      return { id, now };
    },

    /** Does nothing where others have begun since. @throws UsherError `conflict`, `store_unavailable` */
    async endChecks(room: string, id: string, findings: readonly Checked[]): Promise<void> {
      const bounded = findings
        .slice(0, findingsMax)
        .map((finding) => ({ ...finding, text: finding.text.slice(0, textMax) }));
      await update(room, (content) => {
        const { running } = content;
        if (running?.id !== id) return null;
        const checks = { ...running, ended_ms: Math.floor(clock.now()), findings: bounded };
        return { ...content, running: null, checks };
      });
    },

    /** @throws UsherError `conflict`, `store_unavailable` */
    keepRehearsal(
      room: string,
      by: Somebody,
      { result, settings }: { readonly result: Record<string, unknown>; readonly settings: Record<string, unknown> },
    ): Promise<Preparation> {
      const rehearsal = { by, at_ms: Math.floor(clock.now()), result, settings };
      return update(room, (content) => ({ ...content, rehearsal }));
    },
  };
}

function nameOf(room: string): string {
  return `preparation:${room}`;
}

/** What another version wrote, and this one cannot read, is made anew. */
function contentOf(text: string, nowMs: number): Preparation {
  const { data } = preparation.safeParse(JSON.parse(text));
  if (data === undefined) return nothing;
  const isRunning = data.running !== null && nowMs < data.running.began_ms + checksLongestMs;
  return isRunning ? data : { ...data, running: null };
}

function underWay({ name, id }: Somebody): UsherError {
  return new UsherError(
    "conflict",
    `checks of this room are under way, begun by ${name ?? id}: their result is for all`,
  );
}
