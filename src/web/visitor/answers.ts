/** What the public API answers, as the description says it: handlers take their types from here. */
import { z } from "zod";
import { type DescribedAnswer, html, type Refusal } from "../../lib/described-route.ts";

const timeText = z.string().meta({ format: "date-time" });
const timeOrNone = timeText.nullable();
const phase = z.enum(["idle", "prequeue", "open", "paused", "ended", "passthrough"]);
export const drawStage = z.enum(["committed", "closing", "closed", "drawn", "cancelled"]);
const pair = z.tuple([z.number(), z.number()]);

export const statusAnswer = z
  .object({
    room: z.string(),
    title: z.string(),
    rehearsal: z.boolean(),
    phase,
    phase_reason: z.enum(["recovered", "sold_out", "operator", "alarm", "unhealthy"]).nullable().meta({
      description:
        "What holds the room. With sold_out visitors may join and wait for what is returned where the phase is paused; ended is the end.",
    }),
    availability: z.enum(["ready", "recovering", "away"]),
    edition: z.int(),
    serving: z.int(),
    queued: z.int(),
    waiting: z.int(),
    gaps: z.array(pair),
    outflow_limit: z.int().nullable(),
    outflow_per_minute: z.number(),
    /** Of an `adaptive` inlet alone. */
    adaptive: z
      .object({
        rate_per_minute: z.number(),
        decision: z.enum(["increase", "decrease", "hold"]),
        reason: z.string(),
      })
      .optional(),
    draw: z
      .object({ id: z.int(), stage: drawStage, entries: z.int().nullable(), voids: z.int(), due_at: timeOrNone })
      .nullable(),
    pace: z.object({
      steps: z.array(pair).optional(),
      places_per_minute: z.number().nullable(),
      show_rate: z.number(),
      spread: z.number(),
      spread_up: z.number(),
      extra_seconds: z.number(),
      called: z.int(),
      note: z.string().nullable(),
    }),
    held_until: timeOrNone,
    prequeue_at: timeOrNone,
    opens_at: timeOrNone,
    ends_at: timeOrNone,
    /** Where the operator shows it. */
    stock: z.object({ remaining: z.int().nullable(), enough_for: z.int() }).nullable(),
    message: z.string().nullable(),
    message_severity: z.enum(["information", "warning", "sold_out"]).nullable(),
    messages: z.record(z.string(), z.string()).nullable(),
    redirect: z.string().nullable(),
    /** Names the text that visitors may read while they wait: "" for none, null where that is the page's theme's. */
    while_waiting: z.string().nullable(),
    poll: z.object({
      floor_ms: z.int(),
      near_ceiling_ms: z.int(),
      ceiling_ms: z.int(),
      far_ceiling_ms: z.int(),
      divisor: z.number(),
      spread_ms: z.int(),
    }),
    presence_share: z.number(),
    /** Another one as soon as anything changes that pages show and `…/pace` does not tell. */
    revision: z.string(),
    updated_at: timeText,
  })
  .meta({ id: "RoomStatus" });

const orNone = z.int().nullable().optional();
/** An array: names would be half of its bytes. */
export const paceAnswer = z
  .tuple([
    z.string(),
    z.int(),
    z.int(),
    z.number().nullable(),
    z.number(),
    z.number(),
    z.number(),
    z.number(),
    z.int(),
    z.int().optional(),
    orNone,
    orNone,
    z.array(pair).nullable().optional(),
    orNone,
    orNone,
  ])
  .meta({
    id: "RoomPace",
    description:
      "`revision`, `updated_at` (ms since 1970), `serving`, of `pace`: `places_per_minute`, `show_rate`, `spread`, `spread_up`, `extra_seconds`, `called`; seconds from `updated_at` to `held_until`, 0 for null; `waiting`, `draw.entries`, `pace.steps`, `stock.remaining`, `stock.enough_for`",
  });

const placeState = z.enum(["entered", "waiting", "served", "admitted", "expired"]);

const place = z.object({
  state: placeState,
  position: z.int().nullable(),
  entry: z.int().nullable(),
  entries: z.int().nullable(),
  ahead: z.int().nullable(),
  serving: z.int().nullable(),
  estimated_wait_seconds: z.object({ low: z.number(), high: z.number() }).nullable(),
  held_for_seconds: z.int().nullable(),
  poll_after_ms: z.number(),
  voided: z.object({ reference: z.string(), reason: z.string() }).optional(),
});
export const placeAnswer = place.meta({ id: "Place" });
/** What a join of a room by invitation is sent. */
export const invitationBody = z.object({ invitation: z.string().max(4_096).optional() });
export const ticketAnswer = place.extend({ ticket: z.string() }).meta({ id: "Ticket" });
/** With the ticket that replaces the one that was sent, unless it is kept in a cookie. */
export const claimAnswer = place
  .extend({ held_by: z.enum(["limit", "capacity"]).nullable(), ticket: z.string().optional() })
  .meta({ id: "Claim" });

export const tokenAnswer = z
  .object({ token: z.string(), token_type: z.literal("Bearer"), expires_in: z.int(), ticket: z.string() })
  .meta({ id: "AdmissionToken" });
/** By the token of a link. Milliseconds are from the answer on, for scripts that have no clock to compare. */
export const admissionAnswer = z.union([
  z.object({ admitted: z.literal(true), sub: z.string(), admitted_until: z.int(), for_ms: z.number() }),
  z.object({ admitted: z.literal(false) }),
]);
export const receiptAnswer = z.object({ receipt: z.string() });
export const moveAnswer = z.object({ link: z.string(), expires_at: timeText });
export const moveStateAnswer = z.object({ moved: z.boolean(), state: placeState });

/** A page that is neither an error nor a place in line, for programs. */
export const pageAnswer = z
  .object({
    state: z.string(),
    description: z.string().optional(),
    action: z
      .object({ method: z.literal("POST"), address: z.string(), fields: z.record(z.string(), z.string()) })
      .optional(),
  })
  .meta({ id: "Page" });
export const aPage: DescribedAnswer = { status: 200, schema: pageAnswer, types: html, description: "A page." };
/** At the address of a site. */
export const programAnswer = z
  .looseObject({})
  .meta({ id: "ProgramAnswer", description: "In the words of a feature, for its programs." });
/** With what a feature has for its programs. */
const placeAndMore = place.loose().meta({ id: "PlaceAndMore", description: "A place, with members of features." });
/** The waiting page, whose status is the room's `waiting_status`; with 200 also a notice of the gate. */
export const waitingPage: readonly DescribedAnswer[] = [
  { status: 200, schema: [placeAndMore, pageAnswer], types: html, description: "The waiting page, or a notice." },
  { status: 202, schema: placeAndMore, types: html, description: "The waiting page, by `waiting_status`." },
  { status: 429, schema: placeAndMore, types: html, description: "The waiting page, by `waiting_status`." },
];
/** Of the gate, at `/authorize` and at links. */
export const gateErrors: readonly Refusal[] = [
  "unknown_room",
  ["unknown_room", 400],
  "check_required",
  "cookies_blocked",
  "device_required",
  "entry_voided",
  "forbidden",
  "hold_on",
  "in_use",
  "invalid_invitation",
  "invitation_early",
  "link_preview",
  "moved",
  "navigation_required",
  ["navigation_required", 503],
  "network_refused",
  "not_open",
  ["other_device", 409],
  "place_expired",
  "place_left",
  "room_ended",
  "room_full",
  "room_recovering",
  "store_unavailable",
  "ticket_unreadable",
  "too_many_from_address",
  "too_many_logins",
  "too_many_places",
  "too_many_restarts",
  "uninvited",
  "unknown_target",
];
/** A page of a link that is used once, for programs. */
export const linkAnswer = z.object({ room: z.string(), expires_at: timeText.optional() }).meta({ id: "Link" });

/** As src/room/draw-recipe/document.ts reads it. */
export const drawAnswer = z
  .object({
    issuer: z.string(),
    room: z.string(),
    edition: z.int(),
    order: z.enum(["random", "arrival"]),
    draws: z.array(
      z.object({
        id: z.int(),
        stage: drawStage,
        commitment: z.string(),
        first: z.int().nullable(),
        last: z.int().nullable(),
        gaps: z.array(pair),
        voids: z
          .array(
            z.object({
              reference: z.string(),
              reason: z.string(),
              at: timeText,
              restored_at: timeOrNone,
              numbers: z.array(pair),
            }),
          )
          .nullable(),
        entries: z.int().nullable(),
        opens_at: timeOrNone,
        closes_at: timeOrNone,
        seed: z.string().nullable(),
        beacon: z
          .object({
            chain: z.string(),
            public_key: z.string(),
            genesis: z.int(),
            period: z.int(),
            round: z.int().nullable(),
            published_at: timeOrNone,
            signature: z.string().nullable(),
            randomness: z.string().nullable(),
            fallback: z.literal("unavailable").nullable(),
          })
          .nullable(),
        receipt_key: z.object({
          kty: z.literal("OKP"),
          crv: z.literal("Ed25519"),
          x: z.string(),
          kid: z.string(),
        }),
        signed: z.string(),
      }),
    ),
    recipe: z.array(z.string()),
    updated_at: timeText,
  })
  .meta({ id: "Draw" });
