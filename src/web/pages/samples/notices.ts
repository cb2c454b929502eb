import type { RoomStatus } from "../../../room/public-status/status.ts";
import { statusMessage } from "../render/status-json.ts";
import type { CheckView, Notice, NoticeAction, NoticeCode, NoticeWatch } from "../types.ts";
import { type SampleDrawName, sampleDraws } from "./draws.ts";
import {
  isoTime,
  type NoticeSample,
  type SampleRoom,
  sampleOnward,
  sampleStatus,
  site,
  soldOutWords,
  wayIn,
} from "./sample.ts";

/** A notice without its code. The first of a code has the code as its id, others another word behind it. */
interface Variant extends Omit<Notice, "code"> {
  readonly title: string;
  readonly word?: string;
  readonly status?: Partial<RoomStatus>;
  readonly becomes?: string;
  readonly record?: NoticeSample["record"];
}

type Variants = Variant | readonly Variant[];

const moveValidMs = 600_000;
const moveToken = "k1AbCdEf.dGlja2V0cy5BYkNkRWZHaElqS2xNbk9wUXJTdFV2fjF-M3BrfjF-bWE.AbCdEfGhIjKlMnOpQrStUvWxYz012345";

export function noticeSamples(nowMs: number, room: SampleRoom): NoticeSample[] {
  return Object.entries(variants(nowMs, room)).flatMap(([code, ofCode]) =>
    [ofCode].flat().map(({ title, word, status, becomes, record, ...notice }: Variant) => ({
      id: word === undefined ? code : `${code}_${word}`,
      title,
      kind: "notice" as const,
      notice: { code: code as NoticeCode, requestId: "tXw0TnGd-1f", timeZone: room.timeZone, ...notice },
      becomes,
      ...(record !== undefined && { record }),
      status: sampleStatus(room, nowMs, { ...statusOf(notice), ...status }),
    })),
  );
}

function statusOf({ watch, opensAtMs = null, entryAtMs = null, message = null }: Omit<Notice, "code">) {
  return {
    phase: watch?.phase ?? "open",
    // A notice counts down to when the line begins; the doors open then, or later.
    prequeue_at: entryAtMs === null ? null : isoTime(opensAtMs),
    opens_at: isoTime(entryAtMs ?? opensAtMs),
    ...statusMessage(message),
  };
}

function variants(nowMs: number, room: SampleRoom): Record<NoticeCode, Variants> {
  const path = `/rooms/${room.id}`;
  /** What is answered to a request that cannot be carried out: the words of the page, and nothing to press. */
  const refused = (title: string, detail: string): Variant => ({ title, values: { detail } });
  /** A notice that speaks of the room. */
  const ofRoom = (title: string, overrides: Partial<Variant> = {}): Variant => {
    return { title, values: { room: room.title }, message: room.message, ...overrides };
  };
  const watch = (phase: NoticeWatch["phase"], waitsForPlaces = false): { watch: NoticeWatch } => {
    return { watch: { statusUrl: `${path}/status`, phase, waitsForPlaces, spreadMs: room.poll.spread_ms } };
  };
  const link = (label: NoticeAction["label"], href = wayIn): { action: NoticeAction } => {
    return { action: { kind: "link", href, label } };
  };
  const form = (label: NoticeAction["label"], action: string, fields: Readonly<Record<string, string>>) => {
    return { action: { kind: "post", action, label, fields } } as const;
  };
  const placeFields = { return: wayIn, edition: "1", position: "5000" };
  const joinAgain = form("join_again", `${path}/rejoin`, placeFields);
  const byLink = { untilMs: nowMs + 180_000, ...form("enter", `${path}/bypass`, { link: "a.b.c" }) };
  const moveHere = form("move_here", `${path}/move/here`, { place: moveToken });
  const voided = { values: { room: room.title, reason: "4,812 entries from one address.", reference: "KZPRWBTG" } };
  const retried = (autoRetryMs: number) => ({ autoRetryMs, ...watch(null), ...link("try_again") });
  const noPlaces = { autoRetryMs: 2_000, ...watch(null, true) };
  // Done at once: where the page stands, nobody takes the proof.
  const parameters = { cost: 1, keyLength: 32, keyPrefix: "", nonce: "00", salt: "00" };
  const proof = { type: "proof_of_work", challenge: { parameters, signature: "00" } } as const;
  // Of no provider: nothing is loaded from elsewhere.
  const widget = { name: "Example", siteKey: "10000000", className: "challenge", scriptUrl: "", origins: [] };
  const check = (waitMs: number | null, task: CheckView["task"] = proof) => {
    return { task, answerUrl: `${path}/check`, waitMs };
  };
  const device = (isOptional: boolean) => ({ nonce: "key.payload.mac", answerUrl: `${path}/device`, isOptional });
  const draws = sampleDraws(room);
  const draw = (name: SampleDrawName, title: string) => {
    return ofRoom(title, { ...draws[name], ...(name !== "drawn" && { word: name }) });
  };

  const onward = sampleOnward(nowMs, path);

  return {
    admission_ended: refused("The visit has ended", "the admission is over"),
    bad_request: refused("A link that does not work", "the address to return to is not valid"),
    body_too_large: refused("Too much at once", "the body is larger than 65536 bytes"),
    check_required: [
      ofRoom("A check before the join", { check: check(null), ...link("try_again") }),
      ofRoom("A check before the join, with a wait instead", {
        word: "with_wait",
        check: check(30_000),
        ...link("try_again"),
      }),
      ofRoom("A check before the join, of a provider", {
        word: "of_provider",
        check: check(null, { type: "challenge", widget }),
        ...link("try_again"),
      }),
    ],
    device_required: [
      ofRoom("A place bound to the browser", { device: device(false), ...link("try_again") }),
      ofRoom("A place bound to the browser, if it can", {
        word: "offered",
        device: device(true),
        action: { kind: "post", action: `${path}/device`, label: "go_on", fields: { return: path } },
      }),
    ],
    conflict: refused("Something else happened meanwhile", "the room is at another version"),
    forbidden: refused("Not allowed", "this change must come from the waiting room's own page"),
    idempotency_key_reused: refused("The same step twice", "this key was used for another step"),
    internal_error: { title: "A fault on our side" },
    invalid_ticket: refused("No place to be found", "the ticket is not valid"),
    method_not_allowed: refused("Asked in a way that is unknown", "this address takes GET, HEAD"),
    not_an_entry: refused("No entry number", "this place is in no draw of the room"),
    no_ticket: refused("No place yet", "there is no ticket"),
    not_found: refused("Nothing here", "there is nothing at this address"),
    request_too_long: { title: "A link that is too long" },
    room_closed: refused("No line to join", "there is no line to join: the room is idle"),
    room_ended: refused("The line has closed, to a program", "the room lets nobody in"),
    in_use: refused(
      "The visit is in use elsewhere",
      "the link's hand-over was taken in another browser, or the admission was used from as many addresses as it allows",
    ),
    too_many_logins: refused("Too many logins", "this admission has been used for as many logins as it allows"),
    unauthorized: refused("A key is needed", "send a valid admin key as Authorization: Bearer"),
    unknown_room: refused("No such room", "there is no room of this name"),
    unknown_target: refused("A link to a page that is not expected", "the address is not on this room's list"),
    unsupported_media_type: refused("A kind of content that is not read", "send the body as application/json"),

    not_open: notOpen(),
    ended: [
      ofRoom("Closed", link("check_again")),
      ofRoom("Closed, with what comes next", { word: "with_next", ...link("check_again"), ...onward }),
      ofRoom("Closed, with a place", {
        word: "with_place",
        autoRetryMs: 60_000,
        ...watch("ended"),
        ...link("check_again"),
      }),
    ],
    sold_out: [
      ofRoom("Sold out", link("check_again")),
      ofRoom("Sold out, with what comes next", {
        word: "with_next",
        ...link("check_again"),
        ...onward,
        message: soldOutWords,
      }),
      ofRoom("Sold out, with a place", {
        word: "with_place",
        autoRetryMs: 60_000,
        ...watch("ended"),
        ...link("check_again"),
      }),
    ],
    uninvited: ofRoom("By invitation alone", link("try_again")),
    invalid_invitation: ofRoom("An invitation that does not count"),
    invitation_early: ofRoom("An invitation that counts later", {
      nowMs,
      autoRetryMs: 300_000,
      opensAtMs: nowMs + 3 * 3_600_000,
      entryAtMs: null,
      ...link("try_again"),
    }),
    sign_in_failed: ofRoom("Not signed in", link("try_again")),
    provider_unavailable: ofRoom("The sign-in does not answer", link("try_again")),
    room_full: ofRoom("The line is full", retried(30_000)),
    too_many_places: ofRoom("As many places as a browser keeps", {
      links: [{ label: [{ language: null, text: "Winter tour" }], url: "/rooms/winter/leave" }],
      ...link("try_again"),
    }),
    too_many_from_address: ofRoom("Too many from one network", retried(5_000)),
    network_refused: ofRoom("Nobody from this network may join", link("try_again")),
    entry_voided: ofRoom("The entry is void", { ...voided, ...retried(30_000) }),
    entry_voided_late: ofRoom("The entry is void, and the draw is over", { ...voided, ...joinAgain }),
    place_expired: ofRoom("The turn has passed", { durationMs: room.claimWithinMs, ...joinAgain }),
    place_left: ofRoom("The place was given up", joinAgain),
    moved: ofRoom("The place is in another browser", joinAgain),
    other_device: ofRoom("A place of another browser", joinAgain),
    ticket_unreadable: ofRoom("A place that cannot be read", joinAgain),
    room_recovering: ofRoom("No places just now, after a loss", {
      ...noPlaces,
      status: { availability: "recovering" },
    }),
    store_unavailable: [
      ofRoom("No places just now", { ...noPlaces, status: { availability: "away" } }),
      { title: "No places just now, nothing is known", word: "unknown", autoRetryMs: 2_000 },
    ],
    too_many_restarts: ofRoom("The login goes in circles", link("start_again", site)),
    cookies_blocked: ofRoom("Cookies are refused", link("try_again")),
    link_preview: ofRoom("To a link preview"),
    navigation_required: ofRoom("Inside another page"),
    front_door: { title: "The front door" },
    request_refused: {
      title: "A login that cannot go on",
      values: { error: "invalid_scope", detail: "requested scope is not allowed" },
    },
    not_now: [
      { title: "Not just now", ...link("check") },
      { title: "Not just now, asked again by itself", word: "again", autoRetryMs: 2_000 },
    ],

    bypass: ofRoom("A bypass link", byLink),
    bypass_full: ofRoom("A bypass link, the site is full", byLink),
    bypass_held: ofRoom("A bypass link, one moment", byLink),
    bypass_later: ofRoom("A bypass link after a loss", { ...byLink, durationMs: 40_000 }),
    bypass_unreadable: ofRoom("A bypass link, and a place that cannot be read", {
      ...byLink,
      ...form("enter_anew", `${path}/rejoin`, placeFields),
    }),
    bypass_in: ofRoom("Let in by a bypass link"),
    bypass_void: ofRoom("A bypass link that was used"),

    move: ofRoom("A link for the place", {
      untilMs: nowMs + moveValidMs,
      move: {
        link: `https://queue.example.com${path}/move?place=${moveToken}`,
        stateUrl: `${path}/move/state`,
        leftMs: moveValidMs,
      },
      ...link("back_to_place"),
    }),
    move_here: ofRoom("Bring the place here?", moveHere),
    move_replaces: ofRoom("Bring the place here, in place of another?", moveHere),
    move_void: ofRoom("A place's link that was used", { durationMs: moveValidMs }),
    move_spent: ofRoom("A place that may not be moved", link("back_to_place")),
    moved_here: ofRoom("The place has been brought here"),

    // Their records are those that the pages check.
    draw: [
      draw("drawn", "The draw, drawn"),
      draw("committed", "The draw, to come"),
      draw("stranger", "The draw, to come, by nobody in it"),
      draw("closing", "The draw, under way"),
      draw("fallback", "The draw, without the public source of chance"),
      draw("plain", "The draw, without any public source of chance"),
      draw("cancelled", "The draw, called off"),
      ofRoom("The draw, not announced yet", { word: "unset" }),
    ],
    no_draw: ofRoom("A room in which nothing is drawn"),

    leave_confirm: ofRoom("Leave?", form("leave", `${path}/leave`, { return: site })),
    left: [ofRoom("Left"), ofRoom("Left, with a way back", { word: "with_way_back", ...link("join_again") })],
    logout_confirm: { title: "Log out?", ...form("log_out", "/session/end/confirm", { xsrf: "a1b2", logout: "yes" }) },
    logged_out: { title: "Logged out" },
  };

  function notOpen(): Variant[] {
    const opensAtMs = nowMs + 3 * 3_600_000 + 300_000;
    const closed = { nowMs, autoRetryMs: 300_000, ...watch("idle"), ...link("try_again") };
    return [
      ofRoom("Not open yet", { ...closed, opensAtMs, entryAtMs: null }),
      ofRoom("Not open yet, with links", {
        word: "with_links",
        ...closed,
        opensAtMs,
        entryAtMs: null,
        links: onward.links,
        calendarUrl: `${path}/calendar.ics?of=opening`,
      }),
      ofRoom("Not open yet, with a prequeue", {
        word: "prequeue",
        ...closed,
        opensAtMs,
        entryAtMs: opensAtMs + 3_600_000,
        drawUrl: `${path}/draw`,
      }),
      ofRoom("Not open yet, no time set", { word: "unset", ...closed, opensAtMs: null, autoRetryMs: 30_000 }),
      // Made by the page's own script, of what the public status says.
      ofRoom("It has opened, before the next page", {
        word: "opened",
        ...closed,
        opensAtMs: nowMs + 1_000,
        watch: { ...closed.watch, spreadMs: 200 },
        status: { phase: "open" },
        becomes: "#closed[hidden]",
      }),
    ];
  }
}
