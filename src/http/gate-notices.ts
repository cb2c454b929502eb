import type { GateNotice } from "../oidc/index.ts";
import type { Notice } from "./pages/index.ts";

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
  return { error: code, error_description: jsonDescriptions[code] };
}

const jsonDescriptions: Record<GateNotice["code"], string> = {
  cookies_blocked: "the visitor's cookie did not come back; allow cookies",
  hold_on: "no positions can be given just now; try again in a moment",
  link_preview: "link previews take no place in line",
  navigation_required: "only a navigation takes a place in line",
  place_expired: "the place was served and not claimed in time; join again",
  place_left: "the visitor left this place; join again",
  request_too_long: "the authorization request is too long",
  ticket_unreadable: "the ticket cannot be read here; join again",
  too_many_logins: "this admission has been used for as many logins as it allows",
  too_many_restarts: "the login was restarted too often",
};
