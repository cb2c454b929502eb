/** The settings of a room, as the store keeps them. Types only; part of the contract in room-store.ts. */

/** A phase that the schedule or an operator puts a room into; see core/phases.ts. */
export type BasePhase = "idle" | "prequeue" | "open" | "ended" | "passthrough";

/** `paused` while something holds the room. */
export type Phase = BasePhase | "paused";

/**
 * What holds a room. `recovered`: nobody remembered the room (see recovery); in any phase. `operator`: in prequeue and
 * open. `alarm` (an operator's or a monitor's), `unhealthy` (the gate's health URL fails) and `signal` (the site of an `adaptive`
 * inlet has said `off`): while open. `sold_out` (the stock is 0, or the message says so): in prequeue and open.
 */
export type HoldReason = "recovered" | "sold_out" | "operator" | "alarm" | "unhealthy" | "signal";

/**
 * The first reason that holds the room, in the order of `HoldReason`; null where nothing does. The
 * phase is `paused` then, or `ended` where everything is sold and nothing is returned. To visitors a site
 * that says that it has too much to do is `unhealthy`, too.
 */
export type PhaseReason = Exclude<HoldReason, "signal"> | null;

export type InletType = "manual" | "periodic" | "max_active" | "adaptive";

/** What a phase without a line shows: a page, the site itself, or the page at an address to which visitors are sent. */
export type WithoutLine = "page" | "pass_through" | `http${string}`;

/** Words of the organiser, of which the first are for readers of none of the other languages. */
export type Words = readonly MessageText[];

/** Where a visitor may go on who finds nothing to wait for. */
export interface RoomLink {
  readonly label: Words;
  readonly url: string;
}

/** What the organiser sells next. */
export interface NextSale {
  readonly title: Words;
  readonly startsAtMs: number;
  readonly url: string;
}

/** An outflow limit that several rooms share. Every room of it has the same `outflowPerMinute`; weights are their own. */
export interface SharedOutflow {
  readonly id: string;
  /** Admissions of all its rooms together, in any 60 seconds. */
  readonly outflowPerMinute: number;
  /** What this room may take of it while others want theirs, as a ratio of weights. What one leaves others may use. */
  readonly weight: number;
}

/** Holds the line while the site's health URL fails. Asked by every process, about once an interval in all. */
export interface HealthGate {
  readonly healthUrl: string;
  readonly intervalMs: number;
  readonly timeoutMs: number;
  /** Failures in a row that hold the room, and successes in a row that let it go on. */
  readonly unhealthyAfter: number;
  readonly healthyAfter: number;
}

/** Asked by every process, about once an interval in all: how long the site takes to answer. */
export interface LoadProbe {
  readonly url: string;
  readonly intervalMs: number;
  readonly timeoutMs: number;
}

/**
 * What an `adaptive` inlet goes by. Absent and null are the same: the default of each, which is a part of `outflowPerMinute`
 * for the rates. Rates are admissions per minute.
 */
export interface AdaptiveInlet {
  /** The least that the rate comes down to. Default: a hundredth. */
  readonly floorPerMinute?: number | null;
  /** The rate of a room that begins, or that has had no data for long. Default: a tenth. */
  readonly startPerMinute?: number | null;
  /** The most that one decision adds. Default: a fiftieth. */
  readonly stepPerMinute?: number | null;
  /** The target, in milliseconds. */
  readonly latencyMs?: number | null;
  /** The target, as a multiple of the baseline; with `latencyMs` the lower of both. Default without it: 3. */
  readonly timesBaseline?: number | null;
  /** More errors than this lower the rate; a fraction. Default: 0.05. */
  readonly errorRate?: number | null;
  /** Milliseconds between two decisions. Default: 10,000. */
  readonly decideEveryMs?: number | null;
  readonly probe?: LoadProbe | null;
}

export interface InletSettings extends AdaptiveInlet {
  readonly type: InletType;
  /** Admissions per minute, in any 60 seconds; null for no limit. `adaptive` has one, which its rate never exceeds. */
  readonly outflowPerMinute: number | null;
  /** Always set for `max_active`: how many admissions may be live. */
  readonly maxActive: number | null;
  /** `periodic` and `adaptive` serve from here on and until there, by now; null for no such bound. */
  readonly startsAtMs: number | null;
  readonly endsAtMs: number | null;
  /** `periodic` has this or `outflowPerMinute`, or both. */
  readonly sharedOutflow: SharedOutflow | null;
  /** In place of the weight of `sharedOutflow`: a live change. */
  readonly weight?: number | null;
  readonly gate: HealthGate | null;
}

/** When the room enters a phase, by now; null for never. In this order: prequeue, opens, ends. */
export interface Schedule {
  readonly prequeueAtMs: number | null;
  readonly opensAtMs: number | null;
  readonly endsAtMs: number | null;
}

export interface AdmissionSettings {
  readonly durationMs: number;
  /** Sliding: each login and refresh extends the admission by `durationMs` from then, up to this since it began. Null: fixed. */
  readonly maxDurationMs: number | null;
  /** How long a served place may be claimed. */
  readonly claimWithinMs: number;
  readonly loginsPerAdmission: number;
  /** An admission is used from at most so many addresses; absent or null: from any number. */
  readonly addressesPerAdmission?: number | null;
  /**
   * An admission ends as `abandoned` where no site has seen its visitor within so many milliseconds (see `recordVisit`); absent or null:
   * it need not.
   */
  readonly firstVisitWithinMs?: number | null;
}

export type MessageSeverity = "information" | "warning" | "sold_out";

/** The operator's words to everyone in the room, plain text. */
export interface RoomMessage {
  readonly severity: MessageSeverity;
  /** The first is for readers of none of the other languages. `language` (a tag, RFC 5646) null: for every reader. */
  readonly texts: readonly MessageText[];
  /** Of `sold_out`: whether visitors may wait for what is returned. Absent: as `StockSettings` say. */
  readonly returns?: boolean;
}

export interface MessageText {
  readonly language: string | null;
  readonly text: string;
}

/** What is done with the number that is left to sell, as the shop says it. */
export interface StockSettings {
  /** To visitors: nothing; whether it may not last until they are in; or also how many are left. */
  readonly show: "nothing" | "warning" | "number";
  /** What a visitor buys, on average. */
  readonly perVisitor: number;
  /** Once everything is sold: whether visitors may wait for what is returned. Else the line is over. */
  readonly returns: boolean;
}

/** How visitors who come before the opening are put in order. */
export interface DrawSettings {
  /** `random`: by a draw at the opening. `arrival`: first come, first served. */
  readonly order: "random" | "arrival";
  /** Whether a public randomness beacon is mixed into the draw. */
  readonly beacon: "none" | "drand";
}

/** While the store is away: nobody enters, or visitors do at the last known pace, without it. */
export type WhenAway = "hold" | "let_in";

export type WaitingStatus = 200 | 202 | 429;

/** A bucket of `burst` tokens, which is filled with `perMinute`. */
export interface JoinRate {
  readonly perMinute: number;
  readonly burst: number;
}

/** How many may join from one address. */
export interface JoinLimit extends JoinRate {
  /** While entries of a draw are given: in all, of an edition. `any`: any number. Absent or null: 10. */
  readonly prequeue?: number | "any" | null;
  /** The first that has the address counts. Absent or null: none. */
  readonly ranges?: readonly JoinLimitOfRange[] | null;
}

/** Of each address in a range (CIDR). What it does not say is the room's. */
export interface JoinLimitOfRange {
  readonly range: string;
  /** Null: the addresses are not counted. */
  readonly limit: (Partial<JoinRate> & { readonly prequeue?: number | "any" }) | null;
}

/** `pass`: joins without limits and checks. `queue`: as everybody. `challenge`: only after a check. `refuse`: not at all. */
export type AddressAction = "pass" | "queue" | "challenge" | "refuse";

/** A named group of addresses, and what becomes of those who come from them to join. */
export interface AddressRule {
  readonly name: string;
  readonly action: AddressAction;
  /** Addresses, or ranges in CIDR notation. */
  readonly ranges: readonly string[];
}

/** What is asked of a visitor before a place is given. */
export interface CheckSettings {
  readonly type: "proof_of_work" | "challenge";
  /** Of `challenge`: the id of its provider in the configuration. */
  readonly challenge?: string | null;
  /** What becomes of visitors while that provider does not answer. */
  readonly whenAway: "hold" | "let_in" | "proof_of_work";
  /** `suspicious`: of those alone from whose address block more have joined than its share. */
  readonly when: "always" | "suspicious";
  /** Of `joinsPerAddress`, what a block has before its visitors are suspicious, and the work gets harder. */
  readonly share: number;
  /** Multiples of the least work: where nobody has joined from the block, and at most. */
  readonly difficulty: number;
  readonly difficultyMax: number;
  /** What becomes of visitors whose browsers run no scripts: none of them join, or after `waitMs`. */
  readonly withoutScripts: "refuse" | "wait";
  readonly waitMs: number;
}

/** Places are bound to a key of the browser: `offered`, where it can make one; `required`, or none is given. */
export type DeviceBinding = "none" | "offered" | "required";

/** `never`; `once`: each place once, and none that is to be drawn; `unlimited`. */
export type MoveRule = "never" | "once" | "unlimited";

/** The effective settings of a room: the file's values, overridden by the live changes. */
export interface RoomSettings {
  readonly title: string;
  readonly message: RoomMessage | null;
  readonly inlet: InletSettings;
  readonly schedule: Schedule;
  /** The zone (IANA name) in which the operator writes and reads times; nothing goes by it. Absent: UTC. */
  readonly timeZone?: string;
  readonly whenIdle: WithoutLine;
  readonly whenEnded: WithoutLine;
  /** Shown on pages that are an end, in this order. Absent or null: none. */
  readonly links?: readonly RoomLink[] | null;
  /** Shown beside them. Absent or null: none. */
  readonly nextSale?: NextSale | null;
  /** Markdown that visitors may read while they wait. Absent: what the theme of the room's pages has. Null: nothing. */
  readonly whileWaiting?: Words | null;
  /** Beyond so many waiting, newcomers take no position; null for no bound. */
  readonly maxWaiting: number | null;
  /** Absent or null: nothing is shown, and visitors may wait for what is returned. */
  readonly stock?: StockSettings | null;
  /** What is changed counts from the next prequeue on. */
  readonly draw: DrawSettings;
  readonly admission: AdmissionSettings;
  /** How many rows of the admission log are kept; 0: there is none. */
  readonly logRowsMax: number;
  /** Whether each admission and its end is an event. Absent or null: no. */
  readonly admissionEvents?: boolean | null;
  /** Whether visitors may be notified by Web Push that their turn has come. Absent or null: no. */
  readonly push?: boolean | null;
  /** Whether visitors before the doors read how many have an entry number. Absent or null: no. */
  readonly showPeople?: boolean | null;
  /**
   * How often a place may be moved to another browser. Absent or null: once, and places that are to be drawn not at all; none that is
   * bound to its browser.
   */
  readonly moves?: MoveRule | null;
  /** Absent or null: `none`. */
  readonly deviceBinding?: DeviceBinding | null;
  /** Absent or null: `hold`. */
  readonly whenAway?: WhenAway | null;
  /** Absent or null: nothing is asked. */
  readonly check?: CheckSettings | null;
  /** Whether all pages of the room say that nothing is sold. Absent or null: no. */
  readonly rehearsal?: boolean | null;
  /** The HTTP status of the waiting page. */
  readonly waitingStatus: WaitingStatus;
  /** How many may join from one address, at all processes together. Null: any number. */
  readonly joinsPerAddress: JoinLimit | null;
  /** The first that has the address counts; of no other is anything said. Absent or null: none. */
  readonly addressRules?: readonly AddressRule[] | null;
}

type Group = "inlet" | "schedule" | "draw" | "admission";

/** A live change: absent members keep the file's value. */
export type RoomSettingsPatch = Partial<Omit<RoomSettings, Group>> & {
  readonly [Key in Group]?: Partial<RoomSettings[Key]>;
};

/** Settings as kept in the room's state: `effective` is `file` with `live` over it. */
export interface StoredSettings {
  readonly effective: RoomSettings;
  readonly file: RoomSettings;
  readonly live: RoomSettingsPatch;
}
