import type { ErrorCode } from "../../lib/errors.ts";
import type { Notice, NoticeAction, NoticeCode, NoticeWatch } from "../types.ts";
import { type SampleDrawName, sampleDraws } from "./draws.ts";
import { type SampleRoom, wayIn } from "./room.ts";
import type { NoticeSample, SampleStatus } from "./sample.ts";

/** A notice without its code. The first of a code has the code as its id, others another word behind it. */
interface Variant extends Omit<Notice, "code"> {
  readonly title: string;
  readonly word?: string;
  readonly status?: Partial<SampleStatus>;
  readonly becomes?: string;
  readonly record?: NoticeSample["record"];
}

export function noticeSamples(nowMs: number, room: SampleRoom): NoticeSample[] {
  return Object.entries(variants(nowMs, room)).flatMap(([code, ofCode]) =>
    ofCode.map(({ title, word, status, becomes, record, ...notice }) => ({
      id: word === undefined ? code : `${code}_${word}`,
      title,
      kind: "notice" as const,
      notice: { code: code as NoticeCode, requestId: "tXw0TnGd-1f", timeZone: room.timeZone, ...notice },
      ...(becomes !== undefined && { becomes }),
      ...(record !== undefined && { record }),
      status: {
        phase: notice.watch?.phase ?? "open",
        availability: "ready",
        serving: 4_588,
        heldForMs: null,
        ...status,
      },
    })),
  );
}

function variants(nowMs: number, room: SampleRoom): Record<NoticeCode, readonly Variant[]> {
  const parts = { room, nowMs, ...partsOf(room) };
  return {
    ...ofErrors(),
    ...ofTheLine(parts),
    ...ofBypassLinks(parts),
    ...ofMoves(parts),
    ...ofDraws(parts),
    ...ofVisits(parts),
  };
}

interface Parts {
  readonly room: SampleRoom;
  readonly nowMs: number;
  /** What all notices that speak of a room have. */
  readonly ofRoom: Pick<Notice, "values" | "message">;
  readonly joinAgain: NoticeAction;
  readonly tryAgain: NoticeAction;
  watch(phase: NoticeWatch["phase"], waitsForPlaces?: boolean): NoticeWatch;
}

function partsOf(room: SampleRoom): Omit<Parts, "room" | "nowMs"> {
  const fields = { return: wayIn, edition: "1", position: "5000" };
  return {
    ofRoom: { values: { room: room.title }, message: room.message },
    joinAgain: { kind: "post", action: `/rooms/${room.id}/rejoin`, label: "join_again", fields },
    tryAgain: { kind: "link", href: wayIn, label: "try_again" },
    watch: (phase, waitsForPlaces = false) => ({
      statusUrl: `/rooms/${room.id}/status`,
      phase,
      waitsForPlaces,
      spreadMs: room.poll.spread_ms ?? 10_000,
    }),
  };
}

type OfErrors = Exclude<
  ErrorCode,
  | "cookies_blocked"
  | "moved"
  | "place_expired"
  | "place_left"
  | "room_full"
  | "room_recovering"
  | "store_unavailable"
  | "ticket_unreadable"
  | "too_many_from_address"
  | "too_many_restarts"
>;

/** What is answered to a request that cannot be carried out: the words of the page, and nothing to press. */
function ofErrors(): Record<OfErrors, readonly Variant[]> {
  const one = (title: string, detail: string): readonly Variant[] => [{ title, values: { detail } }];
  return {
    admission_ended: one("The visit has ended", "the admission is over"),
    bad_request: one("A link that does not work", "the address to return to is not valid"),
    body_too_large: one("Too much at once", "the body is larger than 65536 bytes"),
    conflict: one("Something else happened meanwhile", "the room is at another version"),
    forbidden: one("Not allowed", "this change must come from the waiting room's own page"),
    idempotency_key_reused: one("The same step twice", "this key was used for another step"),
    internal_error: [{ title: "A fault on our side" }],
    invalid_ticket: one("No place to be found", "the ticket is not valid"),
    method_not_allowed: one("Asked in a way that is unknown", "this address takes GET, HEAD"),
    not_an_entry: one("No entry number", "this place is in no draw of the room"),
    no_ticket: one("No place yet", "there is no ticket"),
    not_found: one("Nothing here", "there is nothing at this address"),
    request_too_long: [{ title: "A link that is too long" }],
    room_closed: one("No line to join", "there is no line to join: the room is idle"),
    room_ended: one("The line has closed, to a program", "the room lets nobody in"),
    in_use: one(
      "The visit is in use elsewhere",
      "the link's hand-over was taken in another browser, or the admission was used from as many addresses as it allows",
    ),
    too_many_logins: one("Too many logins", "this admission has been used for as many logins as it allows"),
    unauthorized: one("A key is needed", "send a valid admin key as Authorization: Bearer"),
    unknown_room: one("No such room", "there is no room of this name"),
    unknown_target: one("A link to a page that is not expected", "the address is not on this room's list"),
    unsupported_media_type: one("A kind of content that is not read", "send the body as application/json"),
  };
}

function ofTheLine({ room, nowMs, ofRoom, joinAgain, tryAgain, watch }: Parts) {
  const notOpen = { ...ofRoom, nowMs, autoRetryMs: 300_000, watch: watch("idle"), action: tryAgain };
  const opensAtMs = nowMs + 3 * 3_600_000 + 300_000;
  const checkAgain: NoticeAction = { kind: "link", href: wayIn, label: "check_again" };
  const startAgain: NoticeAction = { kind: "link", href: "https://shop.example.com/", label: "start_again" };
  return {
    not_open: [
      { title: "Not open yet", ...notOpen, opensAtMs, entryAtMs: null },
      {
        title: "Not open yet, with a prequeue",
        word: "prequeue",
        ...notOpen,
        opensAtMs,
        entryAtMs: opensAtMs + 3_600_000,
        drawUrl: `/rooms/${room.id}/draw`,
      },
      { title: "Not open yet, no time set", word: "unset", ...notOpen, opensAtMs: null, autoRetryMs: 30_000 },
      // Made by the page's own script, of what the public status says.
      {
        title: "It has opened, before the next page",
        word: "opened",
        ...notOpen,
        opensAtMs: nowMs + 1_000,
        watch: { ...watch("idle"), spreadMs: 200 },
        status: { phase: "open" },
        becomes: "#closed[hidden]",
      },
    ],
    ended: [
      { title: "Closed", ...ofRoom, action: checkAgain },
      {
        title: "Closed, with a place",
        word: "with_place",
        ...ofRoom,
        action: checkAgain,
        autoRetryMs: 60_000,
        watch: watch("ended"),
      },
    ],
    room_full: [{ title: "The line is full", ...ofRoom, autoRetryMs: 30_000, watch: watch(null), action: tryAgain }],
    too_many_from_address: [
      {
        title: "Too many from one network",
        ...ofRoom,
        autoRetryMs: 5_000,
        watch: watch(null),
        action: tryAgain,
      },
    ],
    place_expired: [{ title: "The turn has passed", ...ofRoom, durationMs: room.claimWithinMs, action: joinAgain }],
    place_left: [{ title: "The place was given up", ...ofRoom, action: joinAgain }],
    moved: [{ title: "The place is in another browser", ...ofRoom, action: joinAgain }],
    ticket_unreadable: [{ title: "A place that cannot be read", ...ofRoom, action: joinAgain }],
    room_recovering: [
      {
        title: "No places just now, after a loss",
        ...ofRoom,
        autoRetryMs: 2_000,
        watch: watch(null, true),
        status: { availability: "recovering" },
      },
    ],
    store_unavailable: [
      {
        title: "No places just now",
        ...ofRoom,
        autoRetryMs: 2_000,
        watch: watch(null, true),
        status: { availability: "away" },
      },
      { title: "No places just now, nothing is known", word: "unknown", autoRetryMs: 2_000 },
    ],
    too_many_restarts: [{ title: "The login goes in circles", ...ofRoom, action: startAgain }],
    cookies_blocked: [{ title: "Cookies are refused", ...ofRoom, action: tryAgain }],
    link_preview: [{ title: "To a link preview", ...ofRoom }],
    navigation_required: [{ title: "Inside another page", ...ofRoom }],
    front_door: [{ title: "The front door" }],
    request_refused: [
      {
        title: "A login that cannot go on",
        values: { error: "invalid_scope", detail: "requested scope is not allowed" },
      },
    ],
    not_now: [
      { title: "Not just now", action: { kind: "link", href: wayIn, label: "check" } },
      { title: "Not just now, asked again by itself", word: "again", autoRetryMs: 2_000 },
    ],
  } as const satisfies Partial<Record<NoticeCode, readonly Variant[]>>;
}

function ofBypassLinks({ room, nowMs, ofRoom, joinAgain }: Parts) {
  const enter: NoticeAction = {
    kind: "post",
    action: `/rooms/${room.id}/bypass`,
    label: "enter",
    fields: { link: "a.b.c" },
  };
  const byLink = { ...ofRoom, untilMs: nowMs + 180_000, action: enter };
  return {
    bypass: [{ title: "A bypass link", ...byLink }],
    bypass_full: [{ title: "A bypass link, the site is full", ...byLink }],
    bypass_held: [{ title: "A bypass link, one moment", ...byLink }],
    bypass_later: [{ title: "A bypass link after a loss", ...byLink }],
    bypass_unreadable: [
      {
        title: "A bypass link, and a place that cannot be read",
        ...byLink,
        action: { ...joinAgain, label: "enter_anew" },
      },
    ],
    bypass_in: [{ title: "Let in by a bypass link", ...ofRoom }],
    bypass_void: [{ title: "A bypass link that was used", ...ofRoom }],
  } as const satisfies Partial<Record<NoticeCode, readonly Variant[]>>;
}

function ofMoves({ room, nowMs, ofRoom }: Parts) {
  const validMs = 600_000;
  const token = "k1AbCdEf.dGlja2V0cy5BYkNkRWZHaElqS2xNbk9wUXJTdFV2fjF-M3BrfjF-bWE.AbCdEfGhIjKlMnOpQrStUvWxYz012345";
  const link = `https://queue.example.com/rooms/${room.id}/move?place=${token}`;
  const back: NoticeAction = { kind: "link", href: wayIn, label: "back_to_place" };
  const here: NoticeAction = {
    kind: "post",
    action: `/rooms/${room.id}/move/here`,
    label: "move_here",
    fields: { place: token },
  };
  const move = { link, stateUrl: `/rooms/${room.id}/move/state`, leftMs: validMs };
  return {
    move: [{ title: "A link for the place", ...ofRoom, untilMs: nowMs + validMs, move, action: back }],
    move_here: [{ title: "Bring the place here?", ...ofRoom, action: here }],
    move_replaces: [{ title: "Bring the place here, in place of another?", ...ofRoom, action: here }],
    move_void: [{ title: "A place's link that was used", ...ofRoom, durationMs: validMs }],
    moved_here: [{ title: "The place has been brought here", ...ofRoom }],
  } as const satisfies Partial<Record<NoticeCode, readonly Variant[]>>;
}

/** Their records are those that the pages check. */
function ofDraws({ room, ofRoom }: Parts) {
  const draws = sampleDraws(room);
  const one = (name: SampleDrawName, title: string): Variant => {
    return { title, ...ofRoom, ...draws[name], ...(name !== "drawn" && { word: name }) };
  };
  return {
    draw: [
      one("drawn", "The draw, drawn"),
      one("committed", "The draw, to come"),
      one("stranger", "The draw, to come, by nobody in it"),
      one("closing", "The draw, under way"),
      one("fallback", "The draw, without the public source of chance"),
      one("plain", "The draw, without any public source of chance"),
      one("cancelled", "The draw, called off"),
      { title: "The draw, not announced yet", word: "unset", ...ofRoom },
    ],
    no_draw: [{ title: "A room in which nothing is drawn", ...ofRoom }],
  } satisfies Partial<Record<NoticeCode, readonly Variant[]>>;
}

function ofVisits({ room, ofRoom }: Parts) {
  const leave: NoticeAction = {
    kind: "post",
    action: `/rooms/${room.id}/leave`,
    label: "leave",
    fields: { return: "https://shop.example.com/" },
  };
  const logOut: NoticeAction = {
    kind: "post",
    action: "/session/end/confirm",
    label: "log_out",
    fields: { xsrf: "a1b2", logout: "yes" },
  };
  return {
    leave_confirm: [{ title: "Leave?", ...ofRoom, action: leave }],
    left: [
      { title: "Left", ...ofRoom },
      {
        title: "Left, with a way back",
        word: "with_way_back",
        ...ofRoom,
        action: { kind: "link", href: wayIn, label: "join_again" },
      },
    ],
    logout_confirm: [{ title: "Log out?", action: logOut }],
    logged_out: [{ title: "Logged out" }],
  } as const satisfies Partial<Record<NoticeCode, readonly Variant[]>>;
}
