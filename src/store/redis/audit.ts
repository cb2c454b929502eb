import type { AuditStore } from "../contract/room-store.ts";
import type { Keys } from "./keys.ts";
import type { Runner } from "./runner.ts";
import { scripts } from "./scripts.ts";

/** The audit in Redis: one stream, whose entries have the numbers of their rows. So no part of it can be lost without the rest. */
export function createRedisAudit(runner: Runner, keys: Keys): AuditStore {
  const stream = { audit: keys.audit };
  const read = (from: string, to: string, limit: number, isNewestFirst: boolean) =>
    runner.run(scripts.readAudit, stream, { from, to, limit, newest_first: isNewestFirst ? "1" : "0" });

  return {
    async head() {
      const [row] = await read("0", "+", 1, true);
      return row === undefined ? null : { seq: row.seq, hash: row.hash };
    },
    append: (rows, after, { rowsMax, bytesMax }) =>
      runner.run(scripts.appendAudit, stream, {
        after: after === null ? "" : `${after.seq}:${after.hash}`,
        rows: JSON.stringify(
          rows.map(({ seq, hash, text, before }) => [seq, hash, text, before.seq, before.hash].map(String)),
        ),
        rows_max: rowsMax,
        bytes_max: bytesMax,
      }),
    read: ({ from, to, limit, isNewestFirst }) => read(String(from), String(to), limit, isNewestFirst),
  };
}
