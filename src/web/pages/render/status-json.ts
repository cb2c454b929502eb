/** Parts of the public status that pages need, too. */
import { writeWords } from "../../../config/index.ts";
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
