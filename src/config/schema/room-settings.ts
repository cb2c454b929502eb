/**
 * A room's settings that its store keeps and a live change reaches, declared once: the file, the admin API, their types, JSON
 * and reference follow from here. What holds between settings is in room-rules.ts; what the store makes of them in
 * store/contract/room-settings.ts, whose type is the same (a test compares them).
 */
import { z } from "zod";
import { healthUrlFault } from "../checks/urls.ts";
import { checked, duration, mapping, number, oneOf, oneOfNumbers, text, time, wholeNumber } from "./fields.ts";
import { joinsPerAddress } from "./joins-per-address.ts";
import { withKind } from "./kinds.ts";
import { roomMessage } from "./room-message.ts";
import { membersOf, type Reading, readSettings, type Settings, writeSettings } from "./settings-codec.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 86_400_000;

export const OUTFLOW_PER_MINUTE_MAX = 1_000_000;
/** A latency that was measured, or is the target. */
export const LATENCY_MAX_MS = 600_000;

const ID = /^[a-z0-9][a-z0-9-]*$/;
export const roomId = text("a room id of lower-case letters, digits and hyphens, not beginning with a hyphen", 32, ID);
export const sharedOutflowId = () =>
  text("the id of a shared outflow, of lower-case letters, digits and hyphens, not beginning with a hyphen", 32, ID);

const rate = () => wholeNumber(1, OUTFLOW_PER_MINUTE_MAX);
/** A value that may be left out or empty: null in the program. */
const orNone = <Schema extends z.ZodType>(schema: Schema) => schema.nullable().default(null);

const gate = withKind(
  mapping({
    health_url: checked("an http or https URL", healthUrlFault).describe(
      "asked with GET; `http` is allowed to any host",
    ),
    interval: duration(SECOND_MS, 5 * MINUTE_MS)
      .prefault("5s")
      .describe("asked once in so long, in all, however many processes run"),
    timeout: duration(100, 30 * SECOND_MS)
      .prefault("2s")
      .describe("an answer that takes longer is a failure"),
    unhealthy_after: wholeNumber(1, 100).default(3).describe("so many failures in a row hold the line"),
    healthy_after: wholeNumber(1, 100).default(2).describe("so many successes in a row let it go on"),
  }),
  { offExample: "{ health_url: https://shop.example.com/health }" },
);

const probe = withKind(
  mapping({
    url: checked("an http or https URL", healthUrlFault).describe(
      "of a page that does what is expensive; any answer but 200 to 299 is an error",
    ),
    interval: duration(200, 5 * MINUTE_MS)
      .prefault("2s")
      .describe("asked once or twice in so long, however many processes run"),
    timeout: duration(100, MINUTE_MS).prefault("5s").describe("an answer that takes longer is an error"),
  }),
  { offExample: "{ url: https://shop.example.com/ }" },
);

/** Of an `adaptive` inlet alone. What is left out has a default that follows from the limit, or from the others. */
const adaptive = {
  floor_per_minute: rate()
    .nullish()
    .describe("`adaptive` only: the least that the rate comes down to; without it a hundredth of `outflow_per_minute`"),
  start_per_minute: rate()
    .nullish()
    .describe("`adaptive` only: the rate that it begins with; without it a tenth of `outflow_per_minute`"),
  step_per_minute: rate()
    .nullish()
    .describe("`adaptive` only: the most that one decision adds; without it a fiftieth of `outflow_per_minute`"),
  latency_ms: number(1, LATENCY_MAX_MS).nullish().describe("`adaptive` only: the target, in milliseconds"),
  times_baseline: number(1.2, 100)
    .nullish()
    .describe(
      "`adaptive` only: the target, as a multiple of what the site takes under little load; of both the lower; " +
        "without it 3, or none where there is a `latency_ms`",
    ),
  error_rate: number(0, 1)
    .nullish()
    .describe("`adaptive` only: more errors than this fraction lower the rate, too; without it 0.05"),
  decide_every: duration(SECOND_MS, 5 * MINUTE_MS)
    .nullish()
    .describe("`adaptive` only: one decision in so long, about a tenth of a visit; without it 10s"),
  probe: probe
    .nullish()
    .describe("`adaptive` only: what is asked for the latency; without it the site reports it (docs/flow.md#adaptive)"),
};
export const ADAPTIVE_KEYS = Object.keys(adaptive) as (keyof typeof adaptive)[];

export const inlet = mapping({
  type: oneOf("inlet", ["manual", "periodic", "max_active", "adaptive"]).describe(
    "`manual`: an operator moves the line; `periodic`: it moves by itself, at the outflow; `max_active`: by itself, so that " +
      "at most so many are in at the same time; `adaptive`: at a rate that keeps the site at a latency",
  ),
  outflow_per_minute: orNone(rate()).describe(
    "admissions in any 60 seconds never exceed it; `periodic` needs it or `shared_outflow`, `adaptive` needs it",
  ),
  starts_at: orNone(time()).describe(
    "`periodic` and `adaptive` only: it serves from here on; places are handed out before",
  ),
  ends_at: orNone(time()).describe(
    "`periodic` and `adaptive` only: it serves until there; places are handed out after",
  ),
  max_active: orNone(wholeNumber(1, 10_000_000)).describe(
    "`max_active` only, and required there: how many may be in at the same time",
  ),
  ...adaptive,
  shared_outflow: withKind(sharedOutflowId(), { write: ({ id }: SharedOutflow) => id })
    .nullish()
    .describe("an entry of `shared_outflows`, for any type"),
  weight: wholeNumber(1, 1_000)
    .nullish()
    .describe("this room's share of `shared_outflow` while others want theirs; without it 1"),
  gate: orNone(gate).describe(
    "holds the line while the site is not well: any answer but 200 to 299 is a failure, a redirect too; for any type",
  ),
});

export const roomSettings = mapping({
  title: text("a title", 200).optional().describe("what visitors read; without it the id"),
  message: orNone(roomMessage).describe(
    "the organiser's words on every page of the room: a text, or `{ text, severity }`; the text may be one for each language " +
      "(docs/operations.md#telling-everybody), and the first, or that in the room's language, is for all others",
  ),
  inlet: inlet.prefault({ type: "manual" }).describe("what moves the line"),
  schedule: mapping({
    prequeue_at: orNone(time()).describe("arrivals are taken from here on, nobody enters; needs `opens_at`"),
    opens_at: orNone(time()).describe("the line begins to move"),
    ends_at: orNone(time()).describe("nobody enters any more"),
    time_zone: withKind(z.custom<string>(), { json: { type: "string" } })
      .nullish()
      .describe("of the local times in this room, such as `Europe/Berlin`"),
  })
    .prefault({})
    .describe("when the room enters a phase by itself; before the first time it is idle, and without any it is open"),
  when_idle: oneOf("behaviour", ["page", "pass_through"])
    .default("page")
    .describe("what a room shows before it opens: a page, or the site itself, without limit"),
  when_ended: oneOf("behaviour", ["page", "pass_through"]).default("page").describe("the same after its end"),
  max_waiting: orNone(wholeNumber(0, 1_000_000_000)).describe("beyond so many waiting, newcomers get no place"),
  draw: mapping({
    order: oneOf("order", ["random", "arrival"])
      .default("random")
      .describe("how those who come in the prequeue are put in order: by a draw at the opening, or as they arrive"),
    beacon: oneOf("beacon", ["none", "drand"])
      .default("none")
      .describe("`drand` mixes a public random number into the draw"),
  })
    .prefault({})
    .describe("the order of those who come in the prequeue (docs/draw.md)"),
  admission: mapping({
    duration: duration(SECOND_MS, 7 * DAY_MS)
      .prefault("20m")
      .describe("how long one admission lasts"),
    max_duration: orNone(duration(SECOND_MS, 30 * DAY_MS)).describe(
      "makes admissions sliding: each login and refresh extends one by `duration`, up to this since it began",
    ),
    claim_within: duration(SECOND_MS, DAY_MS)
      .prefault("15m")
      .describe("how long a visitor whose turn has come may take to enter"),
    logins_per_admission: wholeNumber(1, 1_000)
      .default(20)
      .describe("logins at all clients of the room together; raise it where admissions are long"),
    addresses_per_admission: wholeNumber(1, 100)
      .nullish()
      .describe(
        "from how many addresses (IPv4, or the /64 of IPv6) an admission may be used; phones change theirs on the way; behind a " +
          "proxy it needs `listen.trusted_proxies`; without it any number",
      ),
  })
    .prefault({})
    .describe("the right to be logged in for a while"),
  admission_log: mapping({
    // About 72 bytes each in Redis.
    max_entries: wholeNumber(0, 10_000_000)
      .default(100_000)
      .describe("how many rows are kept, the latest, about 72 bytes each in Redis; 0: there is no log"),
  })
    .prefault({})
    .describe("the admission log (docs/report.md)"),
  joins_per_address: joinsPerAddress
    .prefault({ per_minute: 600, burst: 1_200 })
    .describe(
      "how many may take a place from one address (IPv4, or the /64 of IPv6), at each process; a visitor beyond it gets a page " +
        "that tries again by itself; generous, since a mobile carrier or a university has thousands behind one address; behind a " +
        "proxy it needs `listen.trusted_proxies`; not for this machine's own addresses; `off`: any number (docs/flow.md#joins-per-address)",
    ),
  waiting_status: oneOfNumbers([200, 202, 429])
    .default(200)
    .describe(
      "the HTTP status of the waiting page, by which programs, crawlers and CDNs tell it from the site (docs/api.md#pages-for-programs)",
    ),
});

type Checked = z.output<typeof roomSettings>;
type Spelled = Settings<Omit<Checked, "admission_log">>;
type Flat<T> = { [Key in keyof T]: T[Key] };

/** An outflow limit that several rooms share, with the weight of this one. */
export interface SharedOutflow {
  readonly id: string;
  readonly outflowPerMinute: number;
  readonly weight: number;
}

/** As the store keeps them: like store/contract/room-settings.ts, which this folder may not import. */
export type RoomSettingsConfig = Flat<
  Omit<Spelled, "title" | "inlet" | "schedule"> & {
    readonly title: string;
    readonly inlet: Flat<Omit<Spelled["inlet"], "sharedOutflow"> & { readonly sharedOutflow: SharedOutflow | null }>;
    readonly schedule: Flat<Omit<Spelled["schedule"], "timeZone">>;
    readonly timeZone?: string;
    readonly logRowsMax: number;
  }
>;
type Group = "inlet" | "schedule" | "draw" | "admission";
/** Settings, or a live change of some of them. */
export type SomeSettings = Partial<Omit<RoomSettingsConfig, Group>> & {
  readonly [Key in Group]?: Partial<RoomSettingsConfig[Key]>;
};

/** Checked settings in the words of the program. Local times are of the zone that stands beside them. */
export function readRoomSettings(checked: Checked) {
  const { timeZone, ...settings } = moved(
    readSettings(roomSettings, checked, { zone: checked.schedule.time_zone ?? null }),
  );
  return { ...settings, ...(typeof timeZone === "string" && { timeZone }) };
}

/** The same of a change, in which null takes a live value away. */
export function readChange(checked: object, reading: Reading): Record<string, unknown> {
  return moved(readSettings(roomSettings, checked as Checked, reading));
}

/** The zone and the log's length are kept elsewhere than they are written: a schedule is another one when its times are. */
function moved({ admissionLog, schedule, ...settings }: Settings<Checked>) {
  const { timeZone, ...times } = schedule ?? {};
  return present({
    ...settings,
    schedule: schedule && times,
    // Of a change, a group may be absent, or null, which is null of each of its members.
    timeZone: schedule === null ? schedule : timeZone,
    logRowsMax: admissionLog === null ? admissionLog : admissionLog?.maxEntries,
  });
}

/**
 * Settings in the words of the configuration file. Of a live change, those that there are.
 *
 * @param timeZone in which times are written; null for UTC
 */
export function writeRoomSettings(settings: SomeSettings, timeZone: string | null = null): Record<string, unknown> {
  const { inlet, schedule, logRowsMax, ...others } = settings;
  const grouped = present({
    ...others,
    inlet: inlet && { ...inlet, weight: inlet.weight ?? inlet.sharedOutflow?.weight },
    schedule: (schedule || others.timeZone) && { ...schedule, timeZone: others.timeZone },
    admissionLog: logRowsMax === undefined ? undefined : { maxEntries: logRowsMax },
  });
  return writeSettings(roomSettings, grouped, timeZone) as Record<string, unknown>;
}

/** The schema of one setting, by its path as written. */
export function settingAt(path: readonly string[]): z.ZodType {
  return path.reduce<z.ZodType>(
    (schema, key) => membersOf(schema)?.find(([name]) => name === key)?.[1] ?? z.never(),
    roomSettings,
  );
}

/** Without the members that are undefined. */
function present<T extends object>(members: T): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
}
