/** The scripts on a room's admission log that stand for themselves. */

import { readLogRow } from "../../core/ports/log-rows.ts";
import type { LogPage } from "../contract/room-store.ts";
import type { Reply } from "./replies.ts";
import { script } from "./script-spec.ts";

const uses = ["prelude"];
const keys = ["state", "admission_log"] as const;

function readHead(reply: Reply, at: number) {
  return { seq: reply.number(at), hash: reply.text(at + 1) };
}

function readPage(reply: Reply): LogPage {
  const texts = reply.list(6).texts();
  const rows = Array.from({ length: texts.length / 2 }, (_, index) =>
    readLogRow(Number(texts[2 * index]), texts[2 * index + 1] ?? ""),
  );
  return { last: reply.number(0), sealed: readHead(reply, 1), base: readHead(reply, 3), count: reply.number(5), rows };
}

export const logScripts = {
  readLog: script({ name: "read-log", uses, keys, args: ["after", "limit"], read: readPage }),
  moveLogMark: script({
    name: "move-log-mark",
    uses,
    keys,
    args: ["mark", "from_seq", "from_hash", "to_seq", "to_hash"],
    read: (reply) => reply.text(0) === "moved",
  }),
};
