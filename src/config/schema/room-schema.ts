/**
 * The shape of a room in a configuration file, as written. What holds between its keys is in room-rules.ts; times
 * are read by room-times.ts, since a local one needs the zone that stands beside it.
 */
import { z } from "zod";
import { exemptPathFault } from "../checks/exempt-path-fault.ts";
import { languageTagFault } from "../checks/language-tag-fault.ts";
import { healthUrlFault, originFault, targetLinkUriFault } from "../checks/urls.ts";
import { checked, duration, list, mapping, number, off, oneOf, oneOfNumbers, text, wholeNumber } from "./fields.ts";
import { JOINS_PER_ADDRESS, joinsPerAddress } from "./joins-per-address.ts";
import { roomMessage } from "./room-message.ts";
import { roomTheme } from "./theme-schema.ts";
import { eitherKind } from "./words-by-language.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 86_400_000;

export const OUTFLOW_PER_MINUTE_MAX = 1_000_000;
/** A latency that was measured, or is the target. */
export const LATENCY_MAX_MS = 600_000;
/** Of an admission log: about 72 bytes each in Redis. */
const LOG_ENTRIES_MAX = 10_000_000;
export const DURATION_DEFAULT_MS = 20 * MINUTE_MS;

const ID = /^[a-z0-9][a-z0-9-]*$/;
export const roomId = text("a room id of lower-case letters, digits and hyphens, not beginning with a hyphen", 32, ID);
const sharedOutflowId = text(
  "the id of a shared outflow, of lower-case letters, digits and hyphens, not beginning with a hyphen",
  32,
  ID,
);

const WITHOUT_LINE = ["page", "pass_through"] as const;

/** A room's settings one by one: the configuration file and the admin API check them alike. */
export const roomFields = {
  title: text("a title", 200),
  message: roomMessage,
  inletType: oneOf("inlet", ["manual", "periodic", "max_active", "adaptive"]),
  outflowPerMinute: wholeNumber(1, OUTFLOW_PER_MINUTE_MAX),
  floorPerMinute: wholeNumber(1, OUTFLOW_PER_MINUTE_MAX),
  startPerMinute: wholeNumber(1, OUTFLOW_PER_MINUTE_MAX),
  stepPerMinute: wholeNumber(1, OUTFLOW_PER_MINUTE_MAX),
  latencyMs: number(1, LATENCY_MAX_MS),
  timesBaseline: number(1.2, 100),
  errorRate: number(0, 1),
  decideEvery: duration(SECOND_MS, 5 * MINUTE_MS),
  sharedOutflow: sharedOutflowId,
  weight: wholeNumber(1, 1_000),
  maxActive: wholeNumber(1, 10_000_000),
  /** A time, or the zone of the others: see room-times.ts. */
  time: z.unknown().optional(),
  whenIdle: oneOf("behaviour", WITHOUT_LINE),
  whenEnded: oneOf("behaviour", WITHOUT_LINE),
  maxWaiting: wholeNumber(0, 1_000_000_000),
  drawOrder: oneOf("order", ["random", "arrival"]),
  logEntries: wholeNumber(0, LOG_ENTRIES_MAX),
  joinsPerAddress,
  waitingStatus: oneOfNumbers([200, 202, 429]),
  drawBeacon: oneOf("beacon", ["none", "drand"]),
  duration: duration(SECOND_MS, 7 * DAY_MS),
  maxDuration: duration(SECOND_MS, 30 * DAY_MS),
  claimWithin: duration(SECOND_MS, DAY_MS),
  loginsPerAdmission: wholeNumber(1, 1_000),
  addressesPerAdmission: wholeNumber(1, 100),
};
const { time } = roomFields;

const GATE_EXAMPLE = "{ health_url: https://shop.example.com/health }";
const PROBE_EXAMPLE = "{ url: https://shop.example.com/ }";

const gate = mapping({
  health_url: checked("an http or https URL", healthUrlFault),
  interval: duration(SECOND_MS, 5 * MINUTE_MS).prefault("5s"),
  timeout: duration(100, 30 * SECOND_MS).prefault("2s"),
  unhealthy_after: wholeNumber(1, 100).default(3),
  healthy_after: wholeNumber(1, 100).default(2),
});

const probe = mapping({
  url: checked("an http or https URL", healthUrlFault),
  interval: duration(200, 5 * MINUTE_MS).prefault("2s"),
  timeout: duration(100, MINUTE_MS).prefault("5s"),
});

/** Keys of an inlet that are written alike in the file and in a live change. One that may be left out or empty has no value then. */
const inletFields = {
  outflow_per_minute: roomFields.outflowPerMinute.nullish(),
  starts_at: time,
  ends_at: time,
  max_active: roomFields.maxActive.nullish(),
  floor_per_minute: roomFields.floorPerMinute.nullish(),
  start_per_minute: roomFields.startPerMinute.nullish(),
  step_per_minute: roomFields.stepPerMinute.nullish(),
  latency_ms: roomFields.latencyMs.nullish(),
  times_baseline: roomFields.timesBaseline.nullish(),
  error_rate: roomFields.errorRate.nullish(),
  decide_every: roomFields.decideEvery.nullish(),
  weight: roomFields.weight.nullish(),
};

/** What of an inlet can be changed live. `off` is none, whatever the file says. */
export const liveInletFields = {
  type: roomFields.inletType.nullish(),
  ...inletFields,
  probe: eitherKind<ProbeDocument | "off">(probe, off(PROBE_EXAMPLE)).nullish(),
  gate: eitherKind<GateDocument | "off">(gate, off(GATE_EXAMPLE)).nullish(),
};

const inlet = mapping({
  type: roomFields.inletType,
  ...inletFields,
  shared_outflow: roomFields.sharedOutflow.nullish(),
  probe: probe.nullish(),
  gate: gate.nullish(),
});

export const room = mapping({
  id: roomId,
  title: roomFields.title.optional(),
  message: roomFields.message.optional(),
  inlet: inlet.prefault({ type: "manual" }),
  schedule: mapping({ prequeue_at: time, opens_at: time, ends_at: time, time_zone: time }).prefault({}),
  when_idle: roomFields.whenIdle.default("page"),
  when_ended: roomFields.whenEnded.default("page"),
  max_waiting: roomFields.maxWaiting.nullish(),
  draw: mapping({
    order: roomFields.drawOrder.default("random"),
    beacon: roomFields.drawBeacon.default("none"),
  }).prefault({}),
  admission: mapping({
    duration: roomFields.duration.default(DURATION_DEFAULT_MS),
    max_duration: roomFields.maxDuration.nullish(),
    claim_within: roomFields.claimWithin.default(15 * MINUTE_MS),
    logins_per_admission: roomFields.loginsPerAdmission.default(20),
    addresses_per_admission: roomFields.addressesPerAdmission.nullish(),
  }).prefault({}),
  admission_log: mapping({ max_entries: roomFields.logEntries.optional() }).prefault({}),
  joins_per_address: roomFields.joinsPerAddress.default(JOINS_PER_ADDRESS),
  waiting_status: roomFields.waitingStatus.default(200),
  language: checked("a language tag such as de or pt-BR", languageTagFault).nullish(),
  targets: list(checked("an address that links may lead to", targetLinkUriFault), 1_000).default([]),
  allowed_origins: list(checked("an origin such as https://app.example.com", originFault), 1_000).default([]),
  admission_token: mapping({
    audience: text("whom admission tokens are for", 255).optional(),
    validity: duration(SECOND_MS, DAY_MS).default(5 * MINUTE_MS),
  }).prefault({}),
  verify: mapping({ exempt: list(checked("a path", exemptPathFault), 1_000).default([]) }).prefault({}),
  theme: roomTheme.nullish(),
});

/** All that may stand in a room, and in its inlet. */
export const ROOM_KEYS: readonly string[] = Object.keys(room.shape);
export const INLET_KEYS: readonly string[] = Object.keys(inlet.shape);

export const sharedOutflow = mapping({ id: sharedOutflowId, outflow_per_minute: roomFields.outflowPerMinute });

export type GateDocument = z.infer<typeof gate>;
export type ProbeDocument = z.infer<typeof probe>;
export type RoomDocument = z.infer<typeof room>;
export type SharedOutflowDocument = z.infer<typeof sharedOutflow>;
