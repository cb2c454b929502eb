/** The scripts on shared documents; part of the table in scripts.ts. */
import type { DocumentReplacement, SharedDocument } from "../contract/room-store.ts";
import type { Reply } from "./replies.ts";
import { script } from "./script-spec.ts";

/** `send`: the store needs the text of what the caller remembers; nothing was answered. */
export type ExchangeReply = SharedDocument | "unchanged" | "send" | null;

const documentBase = ["clock", "server", "documents"];

export const documentScripts = {
  exchangeDocument: script({
    name: "exchange-document",
    uses: documentBase,
    keys: ["document"],
    args: ["offered_version", "offered_digest", "has_text", "offered_text"],
    read: readExchange,
  }),
  replaceDocument: script({
    name: "replace-document",
    uses: documentBase,
    keys: ["document"],
    args: ["expected_version", "text", "digest"],
    read: readReplacement,
  }),
};

function readExchange(reply: Reply): ExchangeReply {
  const result = reply.text(0);
  if (result === "none") return null;
  if (result === "unchanged" || result === "send") return result;
  return { version: reply.number(1), text: reply.text(2) };
}

function readReplacement(reply: Reply): DocumentReplacement {
  const result = reply.text(0);
  if (result === "ok") return { result, version: reply.number(1) };
  if (result === "settling") return { result, remainingMs: reply.number(1) };
  return { result: "conflict" };
}
