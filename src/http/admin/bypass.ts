import type { Context } from "koa";
import { formatTime, text } from "../../config/index.ts";
import { UsherError } from "../../lib/errors.ts";
import type { WaitingRoom, WaitingRooms } from "../../room/index.ts";
import type { BypassService } from "../visitor/bypass-service.ts";
import { object, validate } from "./bodies.ts";
import type { VerifiedKey } from "./verified-key.ts";

const noteMax = 200;
const addressMax = 2_048;

const bypassBody = object({
  note: text("who or what the link is for", noteMax).optional(),
  target_link_uri: text("where the link leads", addressMax).optional(),
});

/**
 * `POST …/bypass`: makes a link that lets its first user in ahead of the line. Each call makes another link: one whose answer was
 * lost lapses unused.
 *
 * @throws UsherError `bad_request`, `unknown_target`, `store_unavailable`
 */
export function makeBypass(
  ctx: Context,
  room: WaitingRoom,
  key: VerifiedKey,
  { issuer, links, continuations }: BypassService,
  events: WaitingRooms["events"],
  json: unknown,
): void {
  const { note = null, target_link_uri: target = null } = validate(bypassBody, json);
  if (target !== null && continuations.to(room.id, target) === null) {
    const expected = "an address that is among the target_link_uris of a client of this room, or the room's targets";
    throw new UsherError("unknown_target", `target_link_uri: expected ${expected}`, { status: 400 });
  }
  const nowMs = room.storeNowMs;
  // What is made during an interruption would be void after it.
  if (nowMs === null || room.availability !== "ready") {
    throw new UsherError("store_unavailable", "a link made now might not work; try again in a moment", {
      status: 503,
      expose: true,
      retryAfterSec: 2,
    });
  }
  const link = links.make(room.id, nowMs, target);
  const expires_at = formatTime(link.expiresMs);
  events.emit("bypass.created", { room: room.id, link: link.id, admin: key.id, note, expires_at });
  ctx.status = 201;
  ctx.body = {
    url: `${issuer}/rooms/${room.id}/bypass?link=${links.encode(link)}`,
    expires_at,
    room: room.id,
    link: link.id,
    note,
    target_link_uri: target,
  };
}
