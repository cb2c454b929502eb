import { formatTime } from "../../../config/index.ts";
import { UsherError } from "../../../lib/errors.ts";
import type { BypassLinks, WaitingRoom } from "../../../room/index.ts";

/** Makes a link that lets its first user in ahead of the line. @throws UsherError `store_unavailable` @throws StoreUnavailableError */
export function newBypassLink(
  room: WaitingRoom,
  { issuer, bypassLinks }: { readonly issuer: string; readonly bypassLinks: BypassLinks },
  target: string | null,
) {
  const nowMs = room.storeNowMs;
  // What is made during an interruption would be void after it.
  if (room.interruptions.away !== null) throw room.interruptions.away;
  if (nowMs === null || room.availability !== "ready") {
    const message = "a link made now might not work; try again in a moment";
    throw new UsherError("store_unavailable", message, { retryAfterSec: 2 });
  }
  const link = bypassLinks.make(room.id, nowMs, target);
  return {
    url: `${issuer}/rooms/${room.id}/bypass?link=${bypassLinks.encode(link)}`,
    link: link.id,
    expires_at: formatTime(link.expiresMs),
  };
}
