/** Parts of the public status that pages need, too. */
import { createHash } from "node:crypto";
import { type WordsInLanguage, writeWords } from "../../../config/index.ts";
import {
  type Draw,
  dueMs,
  participantsOf,
  type RoomMessage,
  type RoomState,
  voidChangesOf,
} from "../../../room/index.ts";
import type { DrawJson, MessageJson, StockJson } from "../../../room/public-status/status.ts";

/** Programs read the first text, pages choose among them. */
export function statusMessage(message: RoomMessage | null) {
  const words = message && writeWords(message.texts);
  return {
    message: message?.texts[0]?.text ?? null,
    message_severity: message?.severity ?? null,
    messages: typeof words === "string" ? null : words,
  } satisfies Required<MessageJson>;
}

/** As far as the operator shows it. */
export function stockJson({ stock: { left }, settings }: Pick<RoomState, "stock" | "settings">): StockJson | null {
  const { show = "nothing", perVisitor = 1 } = settings.effective.stock ?? {};
  if (left === null || show === "nothing") return null;
  return { remaining: show === "number" ? left : null, enough_for: Math.floor(left / perVisitor) };
}

export function drawJson(state: RoomState, draw: Draw) {
  const atMs = dueMs(state, draw);
  return {
    id: draw.id,
    stage: draw.stage,
    entries: participantsOf(state, draw),
    voids: voidChangesOf(state, draw),
    due_at: atMs === null ? null : new Date(atMs).toISOString(),
  } satisfies DrawJson;
}

const revisions = new WeakMap<readonly WordsInLanguage[], string>();

/**
 * Names what visitors may read while they wait by what it says, the same in every process: a page knows by it whether what it shows is still in
 * force. "": nothing. Null: the room leaves it to the theme of its pages.
 */
export function revisionOf(words: readonly WordsInLanguage[] | null | undefined): string | null {
  if (words === undefined) return null;
  if (words === null) return "";
  const cached = revisions.get(words);
  if (cached !== undefined) return cached;
  const said = words.map(({ language, text }) => [language, text]);
  const revision = createHash("sha256").update(JSON.stringify(said)).digest("base64url").slice(0, 10);
  revisions.set(words, revision);
  return revision;
}
