import type { GateNotice } from "../../oidc/index.ts";
import type { Notice, NoticeWatch } from "../../pages/index.ts";
import { numberOf } from "../../room/index.ts";
import { pollJson } from "./status.ts";

/** For programs, which may be told to come at the opening; a page that waits for it watches the room's public status. */
const scheduleRetryMs = 300_000;
/** Where no time is known. */
const lookAgainMs = 30_000;
const unavailableRetryMs = 2_000;
/** A token may be there sooner, but many of the same network wait for it. Pages that try in vain wait longer each time. */
const crowdedRetryMs = 5_000;

/** The gate's answers that are not the waiting page, as pages. */
export function describeNotice(gateNotice: GateNotice): Notice {
  const { room } = gateNotice;
  return { ...describe(gateNotice), ...(room !== null && { message: room.message }) };
}

/** Visitors enter later than the line begins, so the first to come get entry numbers. */
function willDraw({ room, entryAtMs }: GateNotice): boolean {
  return entryAtMs != null && room?.draws.order === "random";
}

function describe(gateNotice: GateNotice): Notice {
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
              ...(place != null && { edition: String(place.edition), position: String(numberOf(place)) }),
            },
          },
        };
  switch (code) {
    case "hold_on":
      return {
        code: room?.availability === "recovering" ? "room_recovering" : "store_unavailable",
        values,
        autoRetryMs: Math.max(1_000, retryMs ?? unavailableRetryMs),
        ...watch(room, null, true),
      };
    case "not_open": {
      const opensAtMs = gateNotice.opensAtMs ?? null;
      return {
        code,
        values,
        opensAtMs,
        entryAtMs: gateNotice.entryAtMs ?? null,
        timeZone: room?.timeZone,
        ...(room !== null && willDraw(gateNotice) && { drawUrl: `/rooms/${room.id}/draw` }),
        // The store's clock opens the room.
        ...(room?.storeNowMs != null && { nowMs: room.storeNowMs }),
        autoRetryMs: retryMs ?? (opensAtMs === null ? lookAgainMs : scheduleRetryMs),
        ...watch(room, "idle"),
        action: { kind: "link", href: returnTo ?? "", label: "try_again" },
      };
    }
    case "ended":
      return {
        code,
        values,
        // The organiser may open it again: a page that holds a place looks for that by itself.
        ...(retryMs !== undefined && { autoRetryMs: retryMs, ...watch(room, "ended") }),
        action: { kind: "link", href: returnTo ?? "", label: "check_again" },
      };
    case "in_use":
      return {
        code,
        values,
        ...(retryMs !== undefined && { autoRetryMs: retryMs, ...watch(room, null) }),
        action: { kind: "link", href: returnTo ?? "", label: "try_again" },
      };
    case "room_full":
    case "too_many_from_address":
      return {
        code,
        values,
        autoRetryMs: code === "room_full" ? (retryMs ?? lookAgainMs) : Math.max(crowdedRetryMs, retryMs ?? 0),
        ...watch(room, null),
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

/**
 * Where the page asks whether the server answers, whether the room is still in the phase that it speaks of, and whether
 * places are given again.
 */
function watch(room: GateNotice["room"], phase: NoticeWatch["phase"], waitsForPlaces = false): { watch?: NoticeWatch } {
  if (room === null) return {};
  return { watch: { statusUrl: `/rooms/${room.id}/status`, phase, waitsForPlaces, spreadMs: pollJson.spread_ms } };
}

/**
 * Milliseconds after which a retry may get another answer: the `Retry-After` of the page and of its JSON. Undefined
 * where a retry is of no use. Five minutes at most before an opening, which may be brought forward.
 */
export function retryAfterMs({ code, room, retryMs, opensAtMs }: GateNotice): number | undefined {
  if (retryMs !== undefined) return retryMs;
  if (code === "hold_on") return unavailableRetryMs;
  if (code === "room_full") return lookAgainMs;
  if (code === "too_many_from_address") return crowdedRetryMs;
  if (code !== "not_open") return undefined;
  if (opensAtMs == null) return lookAgainMs;
  const nowMs = room?.storeNowMs ?? null;
  return nowMs === null ? scheduleRetryMs : Math.min(scheduleRetryMs, Math.max(0, opensAtMs - nowMs));
}

/** The same for programs. */
export function noticeJson({ code, opensAtMs }: GateNotice): NoticeJson {
  return {
    error: jsonErrors[code] ?? code,
    error_description: jsonDescriptions[code],
    ...(code === "not_open" && { opens_at: opensAtMs == null ? null : new Date(opensAtMs).toISOString() }),
  };
}

/** The HTTP status of that: programs do not read the page, so where it stands in for an answer it is none of theirs. */
export function jsonStatus({ code, status }: GateNotice): number {
  return jsonStatuses[code] ?? status;
}

export interface NoticeJson {
  readonly error: string;
  readonly error_description: string;
  /** `not_open`: when the line begins; null when nobody has said. */
  readonly opens_at?: string | null;
}

const jsonStatuses: Partial<Record<GateNotice["code"], number>> = {
  ended: 409,
  moved: 409,
  not_open: 503,
  place_expired: 409,
  place_left: 409,
  ticket_unreadable: 409,
};

/** Where the wire has another name for it. */
const jsonErrors: Partial<Record<GateNotice["code"], string>> = { ended: "room_ended" };

const jsonDescriptions: Record<GateNotice["code"], string> = {
  cookies_blocked: "the visitor's cookie did not come back; allow cookies",
  ended: "the room has ended: nobody can enter or join",
  hold_on: "no positions can be given just now; try again in a moment",
  in_use:
    "this admission is in use elsewhere: its hand-over was taken, or it was used from as many addresses as it allows",
  link_preview: "link previews take no place in line",
  moved: "the place was moved to another browser; join again",
  navigation_required: "only a navigation takes a place in line",
  not_open: "the room is not open yet, and no places are given",
  place_expired: "the place was served and not claimed in time; join again",
  place_left: "the visitor left this place; join again",
  room_full: "so many are waiting that nobody can join just now; try again later",
  ticket_unreadable: "the ticket cannot be read here; join again",
  too_many_from_address: "so many have joined from this address just now that no more are taken; try again in a moment",
  too_many_logins: "this admission has been used for as many logins as it allows",
  too_many_restarts: "the login was restarted too often",
  unknown_room: "the parameter room names none of this client's rooms; add it to rooms of the client, or leave it out",
  unknown_target:
    "the parameter target_link_uri names no address on this client's list; add it to target_link_uris, or leave it out",
};
