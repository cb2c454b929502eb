import { z } from "zod";
import { UsherError } from "../lib/errors.ts";
import type { SharedDocuments } from "../store/contract/room-store.ts";

/** A principal: the holder of an admin key, or a person who has signed in. */
export const somebody = z.object({ kind: z.string(), id: z.string(), name: z.string().nullable() });
export type Somebody = z.output<typeof somebody>;

const attemptsMax = 5;

/**
 * What is found out about a room before its sale: one document for each room in the store, for all processes, of which each feature reads and
 * writes members of its own. Losing it costs another look.
 *
 * @param part the members of the caller
 * @param nothing stands for a document that is not there, and for what another version wrote and this one cannot read
 */
export function createPreparations<Part extends object>(
  documents: SharedDocuments,
  part: z.ZodType<Part>,
  nothing: Part,
) {
  async function find(room: string) {
    const found = await documents.exchange(nameOf(room), null);
    if (found === null || found === "unchanged") return { version: 0, all: {}, content: nothing };
    const all: object = JSON.parse(found.text);
    return { version: found.version, all, content: part.safeParse(all).data ?? nothing };
  }

  return {
    /** @throws StoreUnavailableError */
    read: async (room: string): Promise<Part> => (await find(room)).content,

    /** @param change null where there is nothing to change @throws UsherError `conflict`, `store_unavailable` */
    async update(room: string, change: (content: Part) => Part | null): Promise<Part> {
      for (let attempt = 0; attempt < attemptsMax; attempt++) {
        const { version, all, content } = await find(room);
        const changed = change(content);
        if (changed === null) return content;
        const answer = await documents.replace(nameOf(room), JSON.stringify({ ...all, ...changed }), version);
        if (answer.result === "ok") return changed;
        if (answer.result === "settling") {
          throw new UsherError("store_unavailable", "the store was restarted just now; try again in a few seconds", {
            retryAfterSec: Math.ceil(answer.remainingMs / 1_000),
          });
        }
      }
      throw new UsherError("conflict", "others are checking this room just now; try again");
    },
  };
}

function nameOf(room: string): string {
  return `preparation:${room}`;
}
