/**
 * A room's settings that its store keeps and a live change reaches, declared once: the file, the admin API, their types, JSON
 * and reference follow from here, and so does the type in the store's contract. What holds between settings is in room-rules.ts.
 */
import { z } from "zod";
import { stableText } from "../../lib/json.ts";
import { unknownWord } from "../checks/faults.ts";
import { healthUrlFault, webAddressFault } from "../checks/urls.ts";
import {
  checked,
  duration,
  eitherKind,
  flag,
  list,
  mapping,
  number,
  oneOf,
  oneOfNumbers,
  text,
  time,
  wholeNumber,
} from "./fields.ts";
import { addressRules, joinCheck, joinsPerAddress } from "./joins.ts";
import { membersOf, type Reading, readSettings, type Settings, withKind, writeSettings } from "./settings-codec.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "./times.ts";
import {
  plainLine,
  roomMessage,
  roomWhileWaiting,
  type WordsInLanguage,
  wordsByLanguage,
  writeWords,
} from "./words-by-language.ts";

const WORDS = ["page", "pass_through"] as const;
const REDIRECT = "{ redirect: https://… }";
/** Of a link, and of a redirect. */
const webAddress = (what: string) => checked(what, webAddressFault);

/** A page, the site itself, or, in the program, the address to which visitors are sent. */
export type WhenWithoutLine = (typeof WORDS)[number] | `http${string}`;

/** What a room shows in a phase without a line. */
export function whenWithoutLine() {
  const word = z.enum(WORDS, {
    error: ({ input }) =>
      typeof input === "string"
        ? unknownWord("behaviour", input, [...WORDS, REDIRECT])
        : `expected one of ${WORDS.join(", ")}, ${REDIRECT}`,
  });
  const elsewhere = mapping({ redirect: webAddress("the address of a page") });
  const either = eitherKind<WhenWithoutLine>(
    elsewhere.transform(({ redirect }) => redirect as WhenWithoutLine),
    word,
  );
  return withKind(either, {
    anyOf: [word, elsewhere],
    write: (value: WhenWithoutLine) => (WORDS.some((each) => each === value) ? value : { redirect: value }),
  });
}

const link = mapping({
  label: wordsByLanguage(plainLine("what the link says", 60), "{ en: Other cities, de: Andere Städte }"),
  url: webAddress("the address of a page"),
});

/** In the order in which they are shown. */
export const roomLinks = withKind(list(link, 6, 1), {
  items: link,
  offExample: "[{ label: Other cities, url: https://shop.example.com/cities }]",
  write: (links: readonly { readonly label: readonly WordsInLanguage[]; readonly url: string }[]) =>
    links.map(({ label, url }) => ({ label: writeWords(label), url })),
});

export const nextSale = withKind(
  mapping({
    title: wordsByLanguage(plainLine("a title", 200), "{ en: Extra concert, de: Zusatzkonzert }"),
    starts_at: time(),
    url: webAddress("the address of a page"),
  }),
  { offExample: "{ title: Extra concert, starts_at: 2031-05-17T10:00:00Z, url: https://shop.example.com/extra }" },
);

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

/** Holds the line while the site's health URL fails. Every process asks it, about once an interval in all. */
export const gate = withKind(
  mapping({
    health_url: checked("an http or https URL", healthUrlFault),
    interval: duration(SECOND_MS, 5 * MINUTE_MS).prefault("5s"),
    timeout: duration(100, 30 * SECOND_MS).prefault("2s"),
    // In a row.
    unhealthy_after: wholeNumber(1, 100).default(3),
    healthy_after: wholeNumber(1, 100).default(2),
  }),
  { offExample: "{ health_url: https://shop.example.com/health }" },
);

/** How long the site takes to answer. Every process asks it, about once an interval in all. */
export const probe = withKind(
  mapping({
    url: checked("an http or https URL", healthUrlFault),
    interval: duration(200, 5 * MINUTE_MS).prefault("2s"),
    timeout: duration(100, MINUTE_MS).prefault("5s"),
  }),
  { offExample: "{ url: https://shop.example.com/ }" },
);

/** Of an `adaptive` inlet alone. What is left out has a default that follows from the limit, or from the others. */
const adaptive = {
  /** Default: a hundredth of the limit. */
  floor_per_minute: rate().nullish(),
  /** Of a room that begins, or that has had no data for long. Default: a tenth of the limit. */
  start_per_minute: rate().nullish(),
  /** The most that one decision adds. Default: a fiftieth of the limit. */
  step_per_minute: rate().nullish(),
  /** The target. */
  latency_ms: number(1, LATENCY_MAX_MS).nullish(),
  /** The target, as a multiple of the baseline; with `latency_ms` the lower of both. Default without it: 3. */
  times_baseline: number(1.2, 100).nullish(),
  /** A fraction: more errors lower the rate. Default: 0.05. */
  error_rate: number(0, 1).nullish(),
  /** Default: 10 s. */
  decide_every: duration(SECOND_MS, 5 * MINUTE_MS).nullish(),
  probe: probe.nullish(),
};
export const ADAPTIVE_KEYS = Object.keys(adaptive) as (keyof typeof adaptive)[];

export const inlet = mapping({
  type: oneOf("inlet", ["manual", "periodic", "max_active", "adaptive"]),
  /** In any 60 seconds. `adaptive` has one, which its rate never exceeds. */
  outflow_per_minute: orNone(rate()),
  /** `periodic` and `adaptive` serve from here on and until there. */
  starts_at: orNone(time()),
  ends_at: orNone(time()),
  /** How many admissions may be live: always set for `max_active`. */
  max_active: orNone(wholeNumber(1, 10_000_000)),
  ...adaptive,
  shared_outflow: withKind(sharedOutflowId(), { write: ({ id }: SharedOutflow) => id }).nullish(),
  /** A live one takes the place of that of `shared_outflow`. */
  weight: wholeNumber(1, 1_000).nullish(),
  gate: orNone(gate),
});

/** The number that is left to sell, as the shop says it, and what is done once it is 0. */
const stock = withKind(
  mapping({
    show: oneOf("word", ["nothing", "warning", "number"]).default("nothing"),
    /** What a visitor buys, on average. */
    per_visitor: number(0.01, 1_000).default(1),
    /** Once everything is sold: whether visitors may wait for what is returned. Else the line is over. */
    returns: flag().default(true),
  }),
  { offExample: "{ show: number, returns: false }" },
);

export const roomSettings = mapping({
  title: text("a title", 200).optional(),
  message: orNone(roomMessage),
  inlet: inlet.prefault({ type: "manual" }),
  /** When the room enters a phase. In this order. */
  schedule: mapping({
    prequeue_at: orNone(time()),
    opens_at: orNone(time()),
    ends_at: orNone(time()),
    time_zone: withKind(z.custom<string>(), { json: { type: "string", $comment: "a time zone" } }).nullish(),
  }).prefault({}),
  when_idle: whenWithoutLine().default("page"),
  when_ended: whenWithoutLine().default("page"),
  /** Shown on pages that are an end, and beside them what is sold next. */
  links: roomLinks.nullish(),
  next_sale: nextSale.nullish(),
  /** Absent: what the theme of the room's pages has. Null: nothing. */
  while_waiting: roomWhileWaiting.nullish(),
  /** Beyond so many waiting, newcomers take no position. */
  max_waiting: orNone(wholeNumber(0, 1_000_000_000)),
  stock: stock.nullish(),
  /** What is changed counts from the next prequeue on. */
  draw: mapping({
    order: oneOf("order", ["random", "arrival"]).default("random"),
    beacon: oneOf("beacon", ["none", "drand"]).default("none"),
  }).prefault({}),
  admission: mapping({
    duration: duration(SECOND_MS, 7 * DAY_MS).prefault("20m"),
    /** Sliding: each login and refresh extends the admission by `duration` from then, up to this since it began. None: fixed. */
    max_duration: orNone(duration(SECOND_MS, 30 * DAY_MS)),
    /** How long a served place may be claimed. */
    claim_within: duration(SECOND_MS, DAY_MS).prefault("15m"),
    logins_per_admission: wholeNumber(1, 1_000).default(20),
    addresses_per_admission: wholeNumber(1, 100).nullish(),
    /** An admission ends as `abandoned` where no site has seen its visitor by then. */
    first_visit_within: duration(10 * SECOND_MS, DAY_MS).nullish(),
  }).prefault({}),
  admission_log: mapping({
    // About 72 bytes each in Redis.
    max_entries: wholeNumber(0, 10_000_000).default(100_000),
  }).prefault({}),
  admission_events: flag().nullish(),
  rehearsal: flag().nullish(),
  push: flag().nullish(),
  show_people: flag().nullish(),
  /** Absent: each place once, but none that is to be drawn or is bound to its browser. */
  moves: oneOf("rule", ["never", "once", "unlimited"]).nullish(),
  device_binding: oneOf("word", ["none", "offered", "required"]).nullish(),
  /** While the store is away: nobody enters, or visitors do at the last known pace, without it. Absent: `hold`. */
  when_away: oneOf("word", ["hold", "let_in"]).nullish(),
  check: joinCheck.nullish(),
  joins_per_address: joinsPerAddress.prefault({ per_minute: 600, burst: 1_200 }),
  address_rules: addressRules.nullish(),
  waiting_status: oneOfNumbers([200, 202, 429]).default(200),
});

type Checked = z.output<typeof roomSettings>;
type Spelled = Settings<Omit<Checked, "admission_log">>;
type Flat<T> = { [Key in keyof T]: T[Key] };

/** An outflow limit that several rooms share. Every room of it has the same `outflowPerMinute`; weights are their own. */
export interface SharedOutflow {
  readonly id: string;
  /** Admissions of all its rooms together, in any 60 seconds. */
  readonly outflowPerMinute: number;
  /** What this room may take of it while others want theirs, as a ratio of weights. What one leaves others may use. */
  readonly weight: number;
}

/** As the store keeps them. What the schema calls `nullish` is not there in rooms that were made before the setting was. */
export type RoomSettings = Flat<
  Omit<Spelled, "title" | "inlet" | "schedule"> & {
    readonly title: string;
    readonly inlet: Flat<Omit<Spelled["inlet"], "sharedOutflow"> & { readonly sharedOutflow: SharedOutflow | null }>;
    readonly schedule: Flat<Omit<Spelled["schedule"], "timeZone">>;
    /** The zone (IANA name) in which the operator writes and reads times; nothing goes by it. Absent: UTC. */
    readonly timeZone?: string;
    /** How many rows of the admission log are kept; 0: there is none. */
    readonly logRowsMax: number;
  }
>;
/** Settings whose members are changed one by one, named as in a file. */
export const SETTINGS_GROUPS = ["inlet", "schedule", "draw", "admission"] as const;
type Group = (typeof SETTINGS_GROUPS)[number];
/** A live change: absent members keep the file's value. */
export type RoomSettingsPatch = Partial<Omit<RoomSettings, Group>> & {
  readonly [Key in Group]?: Partial<RoomSettings[Key]>;
};

/** Checked settings in the program's form. Local times are of the zone beside them. */
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
export function writeRoomSettings(
  settings: RoomSettingsPatch,
  timeZone: string | null = null,
): Record<string, unknown> {
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

/** The settings that differ, by their path in the words of the file: what that says, and what is in force. Of addresses, nothing behind the `?`. */
export function settingsDifferences(file: RoomSettings, inForce: RoomSettings) {
  const written = flatten(writeRoomSettings(file, inForce.timeZone));
  const other = flatten(writeRoomSettings(inForce, inForce.timeZone));
  const differences: Record<string, { readonly file: unknown; readonly in_force: unknown }> = {};
  for (const path of new Set([...written.keys(), ...other.keys()])) {
    const [a, b] = [written.get(path) ?? null, other.get(path) ?? null];
    if (stableText(a) !== stableText(b))
      differences[path] = { file: loggableSetting(path, a), in_force: loggableSetting(path, b) };
  }
  return differences;
}

/** A message is one value, however it is written. */
function flatten(value: object, prefix = ""): Map<string, unknown> {
  return new Map(
    Object.entries(value).flatMap(([key, member]): [string, unknown][] =>
      typeof member === "object" && member !== null && key !== "message"
        ? [...flatten(member, `${prefix}${key}.`)]
        : [[`${prefix}${key}`, member]],
    ),
  );
}

/** A setting for logs, events and the audit: the URL of a gate or a probe may carry a token behind its `?`. */
export function loggableSetting(path: string, value: unknown): unknown {
  return /[_./]url$/.test(path) && typeof value === "string" ? value.replace(/\?.*$/s, "?***") : value;
}
