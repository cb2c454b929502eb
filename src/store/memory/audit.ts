import type { AuditStore } from "../contract/room-store.ts";
import type { MemoryData } from "./data.ts";

const leavingMax = 1_000;

/** The audit over a plain list. */
export function createMemoryAudit(data: Pick<MemoryData, "audit">, count: (name: string) => void): AuditStore {
  const last = () => {
    const row = data.audit.at(-1);
    return row === undefined ? null : { seq: row.seq, hash: row.hash };
  };

  return {
    async head() {
      count("read-audit");
      return last();
    },
    async append(rows, after, { rowsMax, bytesMax }) {
      count("append-audit");
      const head = last();
      if (head?.seq !== after?.seq || head?.hash !== after?.hash) return false;
      data.audit.push(...rows);
      data.audit.splice(0, Math.min(leavingMax, Math.max(0, data.audit.length - rowsMax)));
      let bytes = 0;
      const full = data.audit.findLastIndex(({ text }) => {
        const isFull = bytes >= bytesMax;
        bytes += Buffer.byteLength(text);
        return isFull;
      });
      data.audit.splice(0, full + 1);
      return true;
    },
    async read({ from, to, limit, isNewestFirst }) {
      count("read-audit");
      const within = data.audit.filter(({ seq }) => seq >= from && seq <= to);
      return isNewestFirst ? within.toReversed().slice(0, limit) : within.slice(0, limit);
    },
  };
}
