import type { GateNotice } from "../oidc/index.ts";
import type { Notice } from "./pages/index.ts";

/** A page that waits for the opening comes back at its time; in between it looks whether the time has changed. */
const scheduleRetryMs = 300_000;
/** Where no time is known. */
const lookAgainMs = 30_000;

/** The gate's answers that are not the waiting page, as pages. */
export function describeNotice(gateNotice: GateNotice): Notice {
  const { code, room, retryMs, returnTo, restartUri, place } = gateNotice;
  const values = room === null ? {} : { room: room.title };
  const joinAgain =
    room === null || returnTo === undefined
      ? {}
      : {
          action: {
            kind: "post" as const,
            action: `/rooms/${room.id}/rejoin`,
            label: "join_again" as const,
            // Another tab may have joined since: this page gives up no place but the one that it speaks of.
            fields: {
              return: returnTo,
              ...(place != null && { edition: String(place.edition), position: String(place.position) }),
            },
          },
        };
  switch (code) {
    case "hold_on":
      return {
        code: room?.availability === "recovering" ? "room_recovering" : "store_unavailable",
        values,
        autoRetryMs: Math.max(1_000, retryMs ?? 2_000),
      };
    case "not_open": {
      const opensAtMs = gateNotice.opensAtMs ?? null;
      return {
        code,
        values,
        opensAtMs,
        // The store's clock opens the room.
        ...(room?.state != null && { nowMs: room.state.nowMs }),
        autoRetryMs: retryMs ?? (opensAtMs === null ? lookAgainMs : scheduleRetryMs),
        action: { kind: "link", href: returnTo ?? "", label: "try_again" },
      };
    }
    case "ended":
      return { code, values };
    case "room_full":
      return {
        code,
        values,
        autoRetryMs: retryMs ?? lookAgainMs,
        action: { kind: "link", href: returnTo ?? "", label: "try_again" },
      };
    case "cookies_blocked":
      return {
        code,
        values,
        ...(returnTo === undefined ? {} : { action: { kind: "link", href: returnTo, label: "try_again" } }),
      };
    case "too_many_restarts":
      return {
        code,
        values,
        ...(restartUri === undefined ? {} : { action: { kind: "link", href: restartUri, label: "start_again" } }),
      };
    case "place_expired": {
      const claimWithinMs = room?.state?.settings.effective.admission.claimWithinMs;
      return { code, values, ...(claimWithinMs !== undefined && { durationMs: claimWithinMs }), ...joinAgain };
    }
    default:
      return { code, values, ...joinAgain };
  }
}

/** The same for programs. */
export function noticeJson({ code }: GateNotice): { error: string; error_description: string } {
  return { error: jsonErrors[code] ?? code, error_description: jsonDescriptions[code] };
}

/** Where the wire has another name for it. */
const jsonErrors: Partial<Record<GateNotice["code"], string>> = { ended: "room_ended" };

const jsonDescriptions: Record<GateNotice["code"], string> = {
  cookies_blocked: "the visitor's cookie did not come back; allow cookies",
  ended: "the room lets nobody in any more, and nobody can join",
  hold_on: "no positions can be given just now; try again in a moment",
  link_preview: "link previews take no place in line",
  navigation_required: "only a navigation takes a place in line",
  not_open: "the room is not open yet, and no places are given",
  place_expired: "the place was served and not claimed in time; join again",
  place_left: "the visitor left this place; join again",
  request_too_long: "the authorization request is too long",
  room_full: "so many are waiting that nobody can join just now; try again later",
  ticket_unreadable: "the ticket cannot be read here; join again",
  too_many_logins: "this admission has been used for as many logins as it allows",
  too_many_restarts: "the login was restarted too often",
};
