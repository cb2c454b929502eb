import type { z } from "zod";
import type { DeepReadonly } from "../../../lib/json.ts";
import type { CheckNeeded, DeviceNeeded, GateNotice } from "../../../oidc/index.ts";
import { numberOf, pollGuidance, type RoomLink, type WaitingRoom } from "../../../room/index.ts";
import type { Notice, NoticeAction, NoticeCode, NoticeWatch, Onward } from "../../pages/index.ts";
import type { pageAnswer } from "../answers.ts";
import { calendarUrl, nextSaleAhead } from "../calendar.ts";
import { checkJson } from "../join-check.ts";
import { voidMembers } from "../place-status-json.ts";

/** How an answer of the gate that is not the waiting page is shown to people, and told to programs. */
interface NoticeRule {
  readonly description: string;
  /** To programs, where the wire has another name for it. */
  readonly error?: string;
  /** Of the JSON: programs do not read the page, so where it stands in for an answer it is none of theirs. */
  readonly jsonStatus?: number;
  /** On the link back to where the visitor came from; without it, the page offers to join again where that helps. */
  readonly button?: NoticeAction["label"];
  /** The page retries by itself while the room is in this phase; null: in any. */
  readonly phase?: NoticeWatch["phase"];
  /** Milliseconds after which a retry may get another answer, where the gate says none. */
  readonly retryMs?: number;
  /** Between two retries of a page. */
  readonly leastMs?: number;
  /** Whether nothing is left here to wait for, or not for long. */
  readonly isEnd?: boolean;
}

const rules: Record<GateNotice["code"], NoticeRule> = {
  check_required: {
    description: "a check is needed before a place is given: see check, and post its proof to /rooms/ROOM/check",
    button: "try_again",
  },
  cookies_blocked: {
    description: "the visitor's cookie did not come back; allow cookies",
    button: "try_again",
  },
  device_required: {
    description: "the place is bound to a key: sign dpop_nonce in a DPoP proof, and post it to /rooms/ROOM/device",
    button: "try_again",
  },
  ended: {
    description: "the room has ended: nobody can enter or join",
    error: "room_ended",
    jsonStatus: 409,
    button: "check_again",
    // The organiser may open it again: a page that holds a place looks for that by itself.
    phase: "ended",
    isEnd: true,
  },
  entry_voided: {
    description:
      "the organiser has voided the entries from this address or network; until the entries close they can be given back",
    jsonStatus: 409,
    button: "check_again",
    phase: null,
    retryMs: 30_000,
    leastMs: 10_000,
  },
  entry_voided_late: {
    description:
      "the organiser has voided the entries from this address or network; join again, at the end of the line",
    error: "entry_voided",
    jsonStatus: 409,
    isEnd: true,
  },
  hold_on: {
    description: "no positions can be given just now; try again in a moment",
    phase: null,
    retryMs: 2_000,
    leastMs: 1_000,
  },
  in_use: {
    description:
      "this admission is in use elsewhere: its hand-over was taken, or it was used from as many addresses as it allows",
    button: "try_again",
    phase: null,
  },
  invalid_invitation: {
    description: "the invitation has ended, is not whole, or is not for this room",
  },
  invitation_early: {
    description: "invitations of this class may join later",
    button: "try_again",
    retryMs: 300_000,
  },
  link_preview: { description: "link previews take no place in line" },
  moved: { description: "the place was moved to another browser; join again", jsonStatus: 409 },
  navigation_required: { description: "only a navigation takes a place in line" },
  network_refused: {
    description: "nobody who comes from this network may join; ask the organiser",
    // Over another connection it is another network.
    button: "try_again",
  },
  not_open: {
    description: "the room is not open yet, and no places are given",
    jsonStatus: 503,
    button: "try_again",
    phase: "idle",
    // For programs, which may be told to come at the opening; a page that waits for it watches the room's public status.
    retryMs: 300_000,
  },
  other_device: { description: "the place is bound to the key of another browser; join again", jsonStatus: 409 },
  place_expired: {
    description: "the place was served and not claimed in time; join again",
    jsonStatus: 409,
    isEnd: true,
  },
  place_left: { description: "the visitor left this place; join again", jsonStatus: 409, isEnd: true },
  provider_unavailable: {
    description: "the provider at which visitors sign in does not answer as it should; try again in a moment",
    button: "try_again",
    retryMs: 10_000,
  },
  room_full: {
    description: "so many are waiting that nobody can join just now; try again later",
    button: "try_again",
    phase: null,
    retryMs: 30_000,
    isEnd: true,
  },
  sign_in_failed: {
    description: "the visitor has not signed in: begin again",
    button: "try_again",
  },
  sold_out: {
    description: "everything is sold: nobody can enter or join",
    error: "room_ended",
    jsonStatus: 409,
    button: "check_again",
    // The organiser may take it back.
    phase: "ended",
    isEnd: true,
  },
  ticket_unreadable: { description: "the ticket cannot be read here; join again", jsonStatus: 409 },
  too_many_from_address: {
    description: "so many have joined from this address just now that no more are taken; try again in a moment",
    button: "try_again",
    phase: null,
    retryMs: 5_000,
    // A token may be there sooner, but many of the same network wait for it. Pages that try in vain wait longer each time.
    leastMs: 5_000,
  },
  too_many_logins: { description: "this admission has been used for as many logins as it allows" },
  too_many_places: {
    description: "the browser has as many places as it can keep: leave one of them, by DELETE /rooms/ROOM/tickets/me",
    jsonStatus: 409,
    button: "try_again",
  },
  too_many_restarts: { description: "the login was restarted too often" },
  uninvited: {
    description: "visitors join this room by invitation alone: open the link in the message",
    button: "try_again",
  },
  unknown_room: {
    description: "the parameter room names none of this client's rooms; add it to rooms of the client, or leave it out",
  },
  unknown_target: {
    description:
      "the parameter target_link_uri names no address on this client's list; add it to target_link_uris, or leave it out",
  },
};

/** Where nobody has said when the line begins. */
const unsetRetryMs = 30_000;

/** What all pages say that speak of a room. */
export function ofRoom({ title, message, timeZone }: WaitingRoom) {
  return { values: { room: title }, message, timeZone } as const;
}

/** Of pages on which nothing is left to wait for, or perhaps nothing: what the organiser offers instead. */
export function onwardOf(room: WaitingRoom): Onward {
  const { links, nextSale } = room.settings;
  const ahead = nextSaleAhead(room);
  // Its sale has begun: then it is a page like the others.
  const started = nextSale == null || ahead !== null ? [] : [{ label: nextSale.title, url: nextSale.url }];
  const all = [...started, ...(links ?? [])];
  return {
    ...(all.length > 0 && { links: all }),
    ...(ahead !== null && { nextSale: ahead, calendarUrl: calendarUrl(room.id, "next_sale") }),
  };
}

/** The gate's answers that are not the waiting page, as pages. */
export function describeNotice(gateNotice: GateNotice): Notice {
  const { code, room, voided, check, device, places, retryMs = usualRetryMs(gateNotice) } = gateNotice;
  const { phase, leastMs = 0 } = rules[code];
  const outageCode = room?.availability === "recovering" ? "room_recovering" : "store_unavailable";
  const turnMs = code === "place_expired" ? room?.state?.settings.effective.admission.claimWithinMs : undefined;
  const action = actionOf(gateNotice);
  return {
    code: code === "hold_on" ? outageCode : code,
    ...(room !== null && ofRoom(room)),
    ...(voided !== undefined && { values: { room: room?.title ?? "", ...voidMembers(voided) } }),
    ...(room !== null && rules[code].isEnd && onwardOf(room)),
    ...(code === "not_open" && openingOf(gateNotice)),
    ...(code === "invitation_early" && classOpeningOf(gateNotice)),
    ...(turnMs !== undefined && { durationMs: turnMs }),
    ...(phase !== undefined && retryMs !== undefined && { autoRetryMs: Math.max(leastMs, retryMs) }),
    ...(phase !== undefined && retryMs !== undefined && room !== null && { watch: watchOf(room, phase, code) }),
    ...(action !== undefined && { action }),
    ...(places !== undefined && { links: places.map(leaveLink) }),
    ...(check !== undefined && room !== null && { check: checkView(room, check) }),
    ...(device !== undefined && room !== null && { device: deviceView(room, device) }),
  };
}

/** To the question whether to leave the line of a room. */
function leaveLink({ id, title }: WaitingRoom): RoomLink {
  return { label: [{ language: null, text: title }], url: `/rooms/${id}/leave` };
}

function checkView({ id }: WaitingRoom, { task, waitMs }: CheckNeeded) {
  return { task, answerUrl: `/rooms/${id}/check`, waitMs };
}

function deviceView({ id }: WaitingRoom, { nonce, isOptional }: DeviceNeeded) {
  return { nonce, answerUrl: `/rooms/${id}/device`, isOptional };
}

/** When the line begins, and when people are let in. */
function openingOf({ room, opensAtMs = null, entryAtMs = null }: GateNotice): Partial<Notice> {
  // Visitors enter later than the line begins, so the first to come get entry numbers.
  const willDraw = room !== null && entryAtMs !== null && room.draws.order === "random";
  return {
    opensAtMs,
    entryAtMs,
    ...(room !== null && room.settings.links != null && { links: room.settings.links }),
    ...(room !== null && { calendarUrl: calendarUrl(room.id, "opening") }),
    ...(willDraw && { drawUrl: `/rooms/${room.id}/draw` }),
    ...nowOf(room),
  };
}

/** When the visitor's class may join. The room's status does not say it, so the page goes by the time alone. */
function classOpeningOf(notice: GateNotice): Partial<Notice> {
  const autoRetryMs = Math.max(1_000, retryAfterMs(notice) ?? 0);
  return { opensAtMs: notice.opensAtMs ?? null, autoRetryMs, ...nowOf(notice.room) };
}

/** The store's clock opens the room. */
function nowOf(room: WaitingRoom | null): Pick<Notice, "nowMs"> {
  return room?.storeNowMs == null ? {} : { nowMs: room.storeNowMs };
}

/** Where the page asks whether the server answers, whether the room is still in that phase, and whether places are given again. */
function watchOf({ id }: WaitingRoom, phase: NoticeWatch["phase"], code: GateNotice["code"]): NoticeWatch {
  const waitsForPlaces = code === "hold_on";
  return { statusUrl: `/rooms/${id}/status`, phase, waitsForPlaces, spreadMs: pollGuidance.spread_ms };
}

function actionOf({ code, room, returnTo, restartUri, place, device }: GateNotice): NoticeAction | undefined {
  const { button } = rules[code];
  if (device?.isOptional && room !== null) {
    const fields = { return: returnTo ?? "" };
    return { kind: "post", action: `/rooms/${room.id}/device`, label: "go_on", fields };
  }
  if (button !== undefined) return { kind: "link", href: returnTo ?? "", label: button };
  if (restartUri !== undefined) return { kind: "link", href: restartUri, label: "start_again" };
  if (code === "hold_on" || room === null || returnTo === undefined) return undefined;
  // Another tab may have joined since: this page gives up no place but the one that it speaks of.
  const named = place && { edition: String(place.edition), position: String(numberOf(place)) };
  const fields = { return: returnTo, ...named };
  return { kind: "post", action: `/rooms/${room.id}/rejoin`, label: "join_again", fields };
}

/** Undefined where a retry is of no use. */
function usualRetryMs({ code, opensAtMs }: GateNotice): number | undefined {
  return code === "not_open" && opensAtMs == null ? unsetRetryMs : rules[code].retryMs;
}

/**
 * Milliseconds after which a retry may get another answer: the `Retry-After` of the page and of its JSON. Undefined
 * where a retry is of no use. Five minutes at most before an opening, which may be brought forward.
 */
export function retryAfterMs(notice: GateNotice): number | undefined {
  const usualMs = usualRetryMs(notice);
  const { code, room, retryMs, opensAtMs } = notice;
  const nowMs = room?.storeNowMs ?? null;
  if (retryMs !== undefined || usualMs === undefined) return retryMs;
  if ((code !== "not_open" && code !== "invitation_early") || opensAtMs == null || nowMs === null) return usualMs;
  return Math.min(usualMs, Math.max(0, opensAtMs - nowMs));
}

/**
 * The same for programs; `opens_at` is when the line begins, null when nobody has said; `redirect` where the organiser sends visitors
 * instead.
 */
export function noticeJson({ code, opensAtMs, redirect, voided, check, device }: GateNotice) {
  return {
    error: rules[code].error ?? code,
    error_description: rules[code].description,
    ...((code === "not_open" || code === "invitation_early") && {
      opens_at: opensAtMs == null ? null : new Date(opensAtMs).toISOString(),
    }),
    ...(redirect !== undefined && { redirect }),
    ...(voided !== undefined && voidMembers(voided)),
    ...(check !== undefined && { check: checkJson(check) }),
    ...(device !== undefined && { dpop_nonce: device.nonce }),
  };
}

export function jsonStatus({ code, status }: GateNotice): number {
  return rules[code].jsonStatus ?? status;
}

const descriptions: Partial<Record<NoticeCode, string>> = {
  front_door: "this is a waiting room; visitors start at the site that they want to reach",
  leave_confirm: "the place has been kept; send the form to give it up",
  left: "the place in line, or the visit, has been given up",
  logged_out: "the visitor is logged out",
  logout_confirm: "the visitor is still logged in; send the form to log out",
};

/**
 * A page that is neither an error nor a place in line, for programs: what it says, and the form that its button sends
 * (`application/x-www-form-urlencoded`, from this origin).
 */
export function pageJson({ code, action }: Notice): DeepReadonly<z.output<typeof pageAnswer>> {
  return {
    state: code,
    description: descriptions[code],
    ...(action?.kind === "post" && { action: { method: "POST", address: action.action, fields: action.fields } }),
  };
}
