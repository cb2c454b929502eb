import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { AdaptiveState, WaitingRooms } from "../../room/index.ts";
import { peopleWaiting } from "../../room/index.ts";

/** Prometheus metrics. Labels are bounded: rooms are those that there are, all else comes from fixed lists. */
export interface Metrics {
  readonly contentType: string;
  render(): Promise<string>;
  /** @param route a fixed name, never a path as it came */
  observeRequest(route: string, method: string, status: number, seconds: number): void;
  /** One public status was answered on the short way. */
  countStatus(): void;
}

export interface MetricsOptions {
  readonly rooms: WaitingRooms;
  /** Commands sent to the store so far, by name. */
  readonly commandCounts: ReadonlyMap<string, number>;
  /** How many secrets cannot be reloaded now; their last values stay in force. */
  readonly failingSecrets: () => number;
  /** Whether the checkpoints could not be written the last time. */
  readonly areCheckpointsFailing: () => boolean;
  /** How far this process's clock is ahead of the store's, in milliseconds; null before the first sync. */
  readonly skewMs: () => number | null;
}

const knownMethods = new Set(["GET", "HEAD", "POST", "PATCH", "DELETE", "OPTIONS"]);

export function createMetrics({
  rooms,
  commandCounts,
  failingSecrets,
  areCheckpointsFailing,
  skewMs,
}: MetricsOptions): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const counter = (name: string, help: string, labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers });

  const joins = counter("usher_joins_total", "Positions handed out by this process", ["room"]);
  const admissions = counter("usher_admissions_total", "New admissions", ["room", "via"]);
  const logins = counter("usher_logins_total", "Authorization requests answered under an admission", ["room"]);
  const refusals = counter("usher_claim_refusals_total", "Claims that were refused", ["room", "reason"]);
  const ends = counter("usher_admissions_ended_total", "Admissions ended through this process", ["room", "end"]);
  const logouts = counter(
    "usher_backchannel_logouts_total",
    "Notifications to sites that an admission has ended; failed ones are sent again later, lost ones are not",
    ["room", "result"],
  );
  const leaves = counter("usher_leaves_total", "Visitors who left the line", ["room"]);
  const joinRefusals = counter("usher_join_refusals_total", "Visitors who could take no position", ["room", "reason"]);
  const overLimit = counter(
    "usher_joins_over_address_limit_total",
    "Joins that this process refused, since too many had joined from the same address",
    ["room"],
  );
  const renewals = counter("usher_renewals_total", "Refreshes of tokens under a live admission", ["room"]);
  const storeErrors = counter("usher_store_errors_total", "Times the store stopped answering", ["room"]);
  const recoveries = counter("usher_recoveries_total", "Recoveries seen to begin", ["room"]);
  const drift = new Gauge({
    name: "usher_settings_drift",
    help: "1 while the room's stored file settings differ from this process's file",
    labelNames: ["room"],
    registers,
  });
  const durations = new Histogram({
    name: "usher_request_duration_seconds",
    help: "Time to answer requests",
    labelNames: ["route", "method", "status"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 2.5],
    registers,
  });
  const roomGauge = (name: string, help: string, read: (room: WaitingRooms["all"][number]) => number | undefined) =>
    new Gauge({
      name,
      help,
      labelNames: ["room"],
      registers,
      collect() {
        this.reset();
        for (const room of rooms.all) {
          const value = read(room);
          if (value !== undefined) this.set({ room: room.id }, value);
        }
      },
    });
  roomGauge("usher_waiting", "Visitors in line", ({ state }) => (state === null ? undefined : peopleWaiting(state)));
  roomGauge("usher_serving", "The serving counter", ({ state }) => state?.serving);
  roomGauge("usher_queued", "The queue counter", ({ state }) => state?.queued);
  roomGauge("usher_live_admissions", "Admissions that are live", ({ state }) => state?.liveAdmissions);
  roomGauge(
    "usher_outflow_per_minute",
    "Admissions per minute over three minutes",
    ({ state }) => state?.outflowPerMinute,
  );
  roomGauge("usher_absent", "Places served and not claimed within 30 s", ({ state }) => state?.absent);
  roomGauge(
    "usher_outflow_limit",
    "The limit that binds: own, or share",
    ({ state }) => state?.planLimitPerMinute ?? undefined,
  );
  const ofAdaptive = (name: string, help: string, read: (adaptive: AdaptiveState) => number | null) =>
    roomGauge(name, help, ({ state }) => (state?.adaptive && read(state.adaptive)) ?? undefined);
  ofAdaptive("usher_adaptive_rate", "The rate of an adaptive inlet, per minute", ({ ratePerMinute }) => ratePerMinute);
  ofAdaptive("usher_adaptive_target_ms", "The latency that it aims at", ({ targetMs }) => targetMs);
  ofAdaptive("usher_adaptive_latency_ms", "The site's latency, as reported to the inlet", ({ latencyMs }) => latencyMs);
  ofAdaptive("usher_adaptive_baseline_ms", "The site's latency under little load", ({ baselineMs }) => baselineMs);
  ofAdaptive("usher_adaptive_error_rate", "Errors of the site, as a fraction", ({ errorRate }) => errorRate);
  new Gauge({
    name: "usher_adaptive_decision",
    help: "1 for the last decision of an adaptive inlet, and its reason",
    labelNames: ["room", "decision", "reason"],
    registers,
    collect() {
      this.reset();
      for (const { id, state } of rooms.all) {
        if (state?.adaptive === undefined) continue;
        const { decision, reason } = state.adaptive;
        this.set({ room: id, decision, reason }, 1);
      }
    },
  });
  new Gauge({
    name: "usher_phase",
    help: "1 for the phase that the room is in",
    labelNames: ["room", "phase"],
    registers,
    collect() {
      this.reset();
      for (const { id, state } of rooms.all) if (state !== null) this.set({ room: id, phase: state.phase }, 1);
    },
  });
  new Counter({
    name: "usher_room_events_total",
    help: "What has happened in the room, counted in the store: the same number at every process",
    labelNames: ["room", "what"],
    registers,
    collect() {
      this.reset();
      for (const { id, state } of rooms.all) {
        for (const [name, count] of Object.entries(state?.counts ?? {})) {
          this.inc({ room: id, what: name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) }, count);
        }
      }
    },
  });
  roomGauge("usher_recovering", "1 while the room is in recovery", ({ availability }) =>
    availability === "recovering" ? 1 : 0,
  );
  roomGauge("usher_held", "1 while nobody is admitted after a recovery", ({ isHeld }) => (isHeld ? 1 : 0));
  roomGauge("usher_store_away", "1 while the store does not answer", ({ availability }) =>
    availability === "away" ? 1 : 0,
  );
  new Gauge({
    name: "usher_clock_skew_seconds",
    help: "How far this process's clock is ahead of the store's; negative behind",
    registers,
    collect() {
      this.set((skewMs() ?? 0) / 1_000);
    },
  });
  new Gauge({
    name: "usher_checkpoints_failing",
    help: "1 while this process cannot write its checkpoints beside the secrets file",
    registers,
    collect() {
      this.set(areCheckpointsFailing() ? 1 : 0);
    },
  });
  let statusAnswers = 0;
  new Counter({
    name: "usher_status_answers_total",
    help: "Public statuses answered from memory",
    registers,
    collect() {
      this.reset();
      this.inc(statusAnswers);
    },
  });
  new Gauge({
    name: "usher_secrets_failing",
    help: "Secrets whose source does not answer, or has nothing usable; their last values are in force",
    registers,
    collect() {
      this.set(failingSecrets());
    },
  });
  new Counter({
    name: "usher_store_commands_total",
    help: "Commands sent to the store by this process, by script or command",
    labelNames: ["command"],
    registers,
    collect() {
      this.reset();
      for (const [command, count] of commandCounts) this.inc({ command }, count);
    },
  });

  rooms.events.on("tickets.joined", ({ room, count }) => joins.inc({ room }, count));
  rooms.events.on("join.refused", ({ room, reason, count }) => joinRefusals.inc({ room, reason }, count));
  rooms.events.on("join.over_address_limit", ({ room }) => overLimit.inc({ room }));
  rooms.events.on("admission.renewed", ({ room }) => renewals.inc({ room }));
  rooms.events.on("admission.granted", ({ room, via, isNew, isLogin }) => {
    if (isLogin) logins.inc({ room });
    if (isNew) admissions.inc({ room, via });
  });
  rooms.events.on("claim.refused", ({ room, reason }) => refusals.inc({ room, reason }));
  rooms.events.on("admission.ended", ({ room, end }) => ends.inc({ room, end }));
  rooms.events.on("backchannel_logout.sent", ({ room }) => logouts.inc({ room, result: "sent" }));
  rooms.events.on("backchannel_logout.failed", ({ room, isOver }) =>
    logouts.inc({ room, result: isOver ? "lost" : "failed" }),
  );
  rooms.events.on("place.left", ({ room }) => leaves.inc({ room }));
  rooms.events.on("store.away", ({ room }) => storeErrors.inc({ room }));
  rooms.events.on("room.recovering", ({ room }) => recoveries.inc({ room }));
  rooms.events.on("settings.drift", ({ room, isDrifting }) => drift.set({ room }, isDrifting ? 1 : 0));

  const kept = [
    ...[joins, admissions, logins, refusals, ends, logouts, leaves],
    ...[joinRefusals, overLimit, renewals, storeErrors, recoveries, drift],
  ];
  let reported = rooms.all;
  /** The counts of removed rooms are reported no more. */
  async function forgetRemoved(): Promise<void> {
    if (reported === rooms.all) return;
    reported = rooms.all;
    for (const metric of kept) {
      for (const { labels } of (await metric.get()).values) {
        if (rooms.get(String(labels.room)) === undefined) metric.remove(labels);
      }
    }
  }

  // Finding a labelled child costs more than observing with it.
  const observers = new Map<string, (seconds: number) => void>();
  const observerOf = (route: string, asked: string, status: number) => {
    const method = knownMethods.has(asked) ? asked : "other";
    const key = `${route} ${method} ${Math.floor(status / 100)}`;
    let observer = observers.get(key);
    if (observer === undefined) {
      const labels = {
        route,
        method,
        status: `${Math.floor(status / 100)}xx`,
      };
      const child = durations.labels(labels);
      observer = (seconds) => child.observe(seconds);
      observers.set(key, observer);
    }
    return observer;
  };

  return {
    contentType: registry.contentType,
    async render() {
      await forgetRemoved();
      return registry.metrics();
    },
    countStatus() {
      statusAnswers++;
    },
    observeRequest(route, method, status, seconds) {
      observerOf(route, method, status)(seconds);
    },
  };
}
