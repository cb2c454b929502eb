import { type Aggregator, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { RoomHome } from "../../config/index.ts";
import type { AdminKeys } from "../../registry/index.ts";
import { peopleWaiting, type RoomEvents, type RoomState, type WaitingRooms } from "../../room/index.ts";
import { snakeCase } from "../admin-api/bodies.ts";
import type { EventStreams } from "../events/index.ts";
import type { Read, Sample } from "./metric.ts";
import type { Readiness } from "./readiness.ts";
import { addStoreMetrics, type StoreFigures } from "./store-metrics.ts";

export type Metrics = ReturnType<typeof createMetrics>;

export interface MetricsOptions {
  readonly rooms: WaitingRooms;
  readonly store: StoreFigures;
  /** The stores by name that rooms are in. Default: none. */
  readonly namedStores?: ReadonlyMap<string, StoreFigures & { readonly clock: { readonly skewMs: number | null } }>;
  /** What this process found last of its own readiness; null where that is unknown. */
  readonly readiness: () => Awaited<ReturnType<Readiness>> | null;
  readonly version: string;
  readonly adminKeys: Pick<AdminKeys, "views">;
  /** Of all rooms. */
  readonly homes: readonly RoomHome[];
  /** How many secrets cannot be reloaded now; their last values stay in force. */
  readonly failingSecrets: () => number;
  /** Whether the checkpoints could not be written the last time. */
  readonly areCheckpointsFailing: () => boolean;
  /** How far this process's clock is ahead of the store's, in milliseconds; null before the first sync. */
  readonly skewMs: () => number | null;
  readonly streams: Pick<EventStreams, "count">;
  /** Adds those of features. */
  readonly addMore: (read: Read) => void;
}

const standardMethods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** The event, and of its members the labels; last, the member that must be true. */
type EventCounter = {
  [Event in keyof RoomEvents]: readonly [
    event: Event,
    name: string,
    help: string,
    labelNames: readonly (keyof RoomEvents[Event][0])[],
    only?: keyof RoomEvents[Event][0],
  ];
}[keyof RoomEvents];

/** Counters of what happens: an event's `count` is added, or 1. */
const eventCounters: readonly EventCounter[] = [
  ["tickets.joined", "usher_joins_total", "Positions handed out by this process", ["room"]],
  ["admission.granted", "usher_admissions_total", "New admissions", ["room", "via"], "isNew"],
  [
    "admission.granted",
    "usher_logins_total",
    "Authorization requests answered under an admission",
    ["room"],
    "isLogin",
  ],
  ["claim.refused", "usher_claim_refusals_total", "Claims that were refused", ["room", "reason"]],
  ["admission.ended", "usher_admissions_ended_total", "Admissions ended through this process", ["room", "end"]],
  ["place.left", "usher_leaves_total", "Visitors who left the line", ["room"]],
  ["join.refused", "usher_join_refusals_total", "Visitors who could take no position", ["room", "reason"]],
  [
    "join.over_address_limit",
    "usher_joins_over_address_limit_total",
    "Joins that this process refused, since too many had joined from the same address",
    ["room", "why"],
  ],
  [
    "join.network_refused",
    "usher_joins_network_refused_total",
    "Joins that this process refused by a rule of address_rules",
    ["room", "rule"],
  ],
  [
    "visitor.sign_in",
    "usher_visitor_sign_ins_total",
    "Sign-ins of visitors at their room's provider, and what became of them",
    ["room", "outcome"],
  ],
  [
    "visitor.device",
    "usher_device_proofs_total",
    "Proofs of the browser's key that a place is bound to, and what became of them",
    ["room", "outcome"],
  ],
  ["join.checked", "usher_checks_total", "Checks before a join: asked, and what became of them", ["room", "outcome"]],
  ["admission.renewed", "usher_renewals_total", "Refreshes of tokens under a live admission", ["room"]],
  ["store.away", "usher_store_errors_total", "Times the store stopped answering", ["room"]],
  ["room.recovering", "usher_recoveries_total", "Recoveries seen to begin", ["room"]],
];

/** Gauges of what a room's state says; of none where it says nothing. */
const stateGauges: readonly (readonly [
  name: string,
  help: string,
  measure: (state: RoomState) => number | null | undefined,
])[] = [
  ["usher_waiting", "Visitors in line", peopleWaiting],
  ["usher_serving", "The serving counter", ({ serving }) => serving],
  ["usher_queued", "The queue counter", ({ queued }) => queued],
  ["usher_live_admissions", "Admissions that are live", ({ liveAdmissions }) => liveAdmissions],
  ["usher_outflow_per_minute", "Admissions per minute over three minutes", (state) => state.outflowPerMinute],
  ["usher_stock_remaining", "What is left to sell, as the shop said it last", ({ stock }) => stock.left],
  ["usher_absent", "Places served and not claimed within 30 s", ({ absent }) => absent],
  ["usher_outflow_limit", "The limit that binds: own, or share", (state) => state.planLimitPerMinute],
  ["usher_adaptive_rate", "The rate of an adaptive inlet, per minute", ({ adaptive }) => adaptive?.ratePerMinute],
  ["usher_adaptive_target_ms", "The latency that it aims at", ({ adaptive }) => adaptive?.targetMs],
  ["usher_adaptive_latency_ms", "The site's latency, as reported to the inlet", ({ adaptive }) => adaptive?.latencyMs],
  ["usher_adaptive_baseline_ms", "The site's latency under little load", ({ adaptive }) => adaptive?.baselineMs],
  ["usher_adaptive_error_rate", "Errors of the site, as a fraction", ({ adaptive }) => adaptive?.errorRate],
];

type Room = WaitingRooms["all"][number];

/** Prometheus metrics. Labels are bounded: rooms are those that there are, all else comes from fixed lists. */
export function createMetrics(options: MetricsOptions) {
  const { rooms, failingSecrets, areCheckpointsFailing, skewMs } = options;
  const { readiness, version, adminKeys, homes, namedStores = new Map() } = options;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const read: Read = (Kind, name, help, labelNames, samples, together = Kind === Counter ? "sum" : "max") =>
    new Kind({
      name,
      help,
      labelNames,
      registers,
      aggregator: together,
      collect() {
        this.reset();
        for (const [labels, value] of samples()) this.inc(labels, value);
      },
    });
  const single = (name: string, help: string, value: () => number, together?: Aggregator) =>
    read(Gauge, name, help, [], () => [[{}, value()]], together);
  const ofRooms = (name: string, help: string, measure: (room: Room) => number | null | undefined) =>
    read(Gauge, name, help, ["room"], () =>
      rooms.all.flatMap((room): Sample[] => {
        const value = measure(room) ?? null;
        return value === null ? [] : [[{ room: room.id }, value]];
      }),
    );

  const counters = eventCounters.map(([event, name, help, labelNames, only]) => {
    const counter = new Counter<string>({ name, help, labelNames, registers });
    rooms.events.on(event, (fields: Readonly<Record<string, unknown>>) => {
      if (only !== undefined && fields[only] !== true) return;
      counter.inc(
        Object.fromEntries(labelNames.map((label) => [label, String(fields[label])])),
        Number(fields.count ?? 1),
      );
    });
    return counter;
  });
  const logouts = new Counter({
    name: "usher_backchannel_logouts_total",
    help: "Notifications to sites that an admission has ended; failed ones are sent again later, lost ones are not",
    labelNames: ["room", "result"],
    registers,
  });
  rooms.events.on("backchannel_logout.sent", ({ room }) => logouts.inc({ room, result: "sent" }));
  rooms.events.on("backchannel_logout.failed", ({ room, isOver }) =>
    logouts.inc({ room, result: isOver ? "lost" : "failed" }),
  );
  const drift = new Gauge({
    name: "usher_settings_drift",
    help: "1 while the room's stored file settings differ from this process's file",
    labelNames: ["room"],
    registers,
    aggregator: "max",
  });
  rooms.events.on("settings.drift", ({ room, isDrifting }) => drift.set({ room }, Number(isDrifting)));
  const keylessDraws = new Map<string, { edition: number; draw: number }>();
  rooms.events.on("draw.key_unknown", ({ room, edition, draw }) => keylessDraws.set(room, { edition, draw }));
  const registered = [...counters, logouts, drift];
  const durations = new Histogram({
    name: "usher_request_duration_seconds",
    help: "Time to answer requests",
    labelNames: ["route", "method", "status"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 2.5],
    registers,
  });

  for (const [name, help, measure] of stateGauges) ofRooms(name, help, ({ state }) => state && measure(state));
  const flag = (name: string, help: string, isSet: (room: Room) => boolean) =>
    ofRooms(name, help, (room) => Number(isSet(room)));
  flag("usher_recovering", "1 while the room is in recovery", (room) => room.availability === "recovering");
  flag("usher_held", "1 while nobody is admitted after a recovery", (room) => room.isOnHold);
  flag("usher_sold_out", "1 while the room is sold out", ({ state }) => state?.holds.includes("sold_out") === true);
  flag("usher_store_away", "1 while the store does not answer", (room) => room.availability === "away");
  flag("usher_draw_key_missing", "1 while a draw waits for a key that this process does not have", ({ id, state }) => {
    const keyless = keylessDraws.get(id);
    return (
      keyless?.edition === state?.edition &&
      state?.draws.some((draw) => draw.id === keyless?.draw && draw.stage !== "drawn") === true
    );
  });
  const stateSamples = (samplesOf: (state: RoomState) => Sample[]) => () =>
    rooms.all.flatMap(({ id, state }) =>
      (state === null ? [] : samplesOf(state)).map(([labels, value]): Sample => [{ room: id, ...labels }, value]),
    );
  read(
    Gauge,
    "usher_adaptive_decision",
    "1 for the last decision of an adaptive inlet, and its reason",
    ["room", "decision", "reason"],
    stateSamples(({ adaptive }) =>
      adaptive === undefined ? [] : [[{ decision: adaptive.decision, reason: adaptive.reason }, 1]],
    ),
  );
  read(
    Gauge,
    "usher_phase",
    "1 for the phase that the room is in",
    ["room", "phase"],
    stateSamples(({ phase }) => [[{ phase }, 1]]),
  );
  read(
    Counter,
    "usher_room_events_total",
    "What has happened in the room, counted in the store: the same number at every process",
    ["room", "what"],
    stateSamples(({ counts }) => Object.entries(counts).map(([name, count]) => [{ what: snakeCase(name) }, count])),
    "max",
  );
  read(
    Gauge,
    "usher_clock_skew_seconds",
    "How far this process's clock is ahead of the store's; negative behind",
    ["store"],
    () => [
      [{}, (skewMs() ?? 0) / 1_000],
      ...[...namedStores].map(([store, { clock }]): Sample => [{ store }, (clock.skewMs ?? 0) / 1_000]),
    ],
    "average",
  );
  single("usher_checkpoints_failing", "1 while this process cannot write its checkpoints beside the secrets file", () =>
    Number(areCheckpointsFailing()),
  );
  single(
    "usher_ready",
    "1 while this process is ready, as it last found out itself",
    () => Number(readiness()?.faults.length === 0),
    "min",
  );
  single("usher_workers", "Processes that answer as this one gateway", () => 1, "sum");
  single("usher_keys_disagree", "1 while other processes sign with a key that this one does not have", () =>
    Number(readiness()?.keysDisagree === true),
  );
  read(
    Gauge,
    "usher_home",
    "1 for each name by which clients of another system know the room",
    ["room", "system", "id"],
    () =>
      homes.flatMap(({ room, system, ids }) =>
        (ids.length === 0 ? [""] : ids).map((id): Sample => [{ room, system, id }, 1]),
      ),
  );
  read(Gauge, "usher_build_info", "1, of the version that runs", ["version"], () => [[{ version }, 1]]);
  read(
    Gauge,
    "usher_admin_key_expires_timestamp_seconds",
    "When an admin key that was made at run time expires, in Unix time; nothing of one without an end",
    ["key"],
    () =>
      adminKeys.views.flatMap((key): Sample[] => {
        const endMs = key.source === "file" ? null : key.registered.expires_ms;
        return endMs === null ? [] : [[{ key: key.id }, endMs / 1_000]];
      }),
  );
  single(
    "usher_event_streams",
    "Streams of events that readers have open at this process",
    () => options.streams.count,
    "sum",
  );
  options.addMore(read);
  let statusAnswers = 0;
  let requests = 0;
  read(
    Counter,
    "usher_status_answers_total",
    "Public statuses, and answers of what moves in them, from memory",
    [],
    () => [[{}, statusAnswers]],
  );
  single(
    "usher_secrets_failing",
    "Secrets whose source does not answer, or has nothing usable; their last values are in force",
    failingSecrets,
  );
  addStoreMetrics(read, registers, options.store, namedStores);

  let reported = rooms.all;
  /** The counts of removed rooms are reported no more. */
  async function forgetRemoved(): Promise<void> {
    if (reported === rooms.all) return;
    reported = rooms.all;
    for (const metric of registered) {
      for (const { labels } of (await metric.get()).values) {
        if (rooms.get(String(labels.room)) === undefined) metric.remove(labels);
      }
    }
  }

  // Finding a labelled child costs more than observing with it.
  const observers = new Map<string, { observe(seconds: number): void }>();
  const observerOf = (route: string, method: string, status: string) => {
    const key = `${route} ${method} ${status}`;
    const cached = observers.get(key);
    if (cached !== undefined) return cached;
    const observer = durations.labels({ route, method, status });
    observers.set(key, observer);
    return observer;
  };

  return {
    contentType: registry.contentType,
    /** Answered so far. */
    requests: () => requests,
    async render(): Promise<string> {
      await forgetRemoved();
      return registry.metrics();
    },
    /** The same, to be put together with that of other workers. */
    async report() {
      await forgetRemoved();
      return registry.getMetricsAsJSON();
    },
    /** One public status was answered on the short way. */
    countStatus(): void {
      statusAnswers++;
      requests++;
    },
    /** @param route a fixed name, never a path as it came */
    observeRequest(route: string, method: string, status: number, seconds: number): void {
      requests++;
      const label = standardMethods.has(method) ? method : "other";
      observerOf(route, label, `${Math.floor(status / 100)}xx`).observe(seconds);
    },
  };
}
