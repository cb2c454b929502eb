import { z } from "zod";
import { formatTime, oneOf } from "../../config/index.ts";
import type { IssuerRegistry } from "../../registry/index.ts";
import { keyPurposes, keyStates } from "../../registry/index.ts";
import type { NamedHealth } from "../features.ts";
import { type Attention, configurationDigest, type Health, type SeenProcess } from "../health/index.ts";
import { type AdminRoute, routesAbout } from "./admin-router.ts";
import { object, timeOrNone, timeOrNull, timeText } from "./bodies.ts";
import { availability } from "./rooms/room-json.ts";

export interface HealthRoutesOptions {
  readonly health: Health;
  /** Of features: a member of the answer each. */
  readonly healthOfFeatures: readonly NamedHealth[];
  readonly attentionCodes: readonly string[];
  readonly issuers: readonly IssuerRegistry[];
}

const figure = z.number().nullable();
const process = z
  .object({
    id: z.string(),
    name: z.string(),
    state: z.enum(["starting", "ready", "not_ready", "stopping", "gone"]),
    /** The one that answers. */
    answers: z.boolean(),
    version: z.string(),
    build: z.string().nullable(),
    node: z.string(),
    configuration: z.string(),
    started_at: timeText,
    seen_at: timeText,
    clock_ahead_ms: figure,
    loop_delay_ms: figure,
    memory_bytes: figure,
    heap_share: figure,
    requests_per_second: figure,
    store_latency_ms: figure,
    checkpoints_written_at: timeOrNone,
    /** How many secrets cannot be reloaded. */
    failing_secrets: z.int(),
  })
  .meta({ id: "HealthProcess" });
const store = z
  .object({
    answers: z.boolean(),
    /** Since it answered this process last. */
    age_ms: figure,
    latency_ms: figure,
    /** Null where it is embedded in the process. */
    server: z
      .object({
        software: z.string(),
        version: z.string(),
        arrangement: z.enum(["single", "sentinel", "cluster"]),
        /** Of the run, which ends with a restart or a failover. */
        run: z.string(),
        up_seconds: figure,
        used_bytes: figure,
        max_bytes: figure,
        eviction_policy: z.string().nullable(),
        append_only: z.boolean().nullable(),
        saved_at: timeOrNone,
        role: z.enum(["master", "replica"]).nullable(),
        replicas: figure,
      })
      .nullable(),
  })
  .meta({ id: "HealthStore" });
const key = z
  .object({
    kid: z.string(),
    issuer: z.string(),
    purpose: z.enum(keyPurposes),
    alg: z.string().nullable(),
    state: z.enum(keyStates),
    since: timeOrNone,
    /** From when on it may sign, or be retired. */
    next_step_at: timeOrNone,
    held: z.boolean(),
  })
  .meta({ id: "HealthKey" });
const room = z
  .object({
    room: z.string(),
    availability,
    log: z.object({ rows: z.int(), unsealed: z.int(), sealed_through_at: timeOrNone }).nullable(),
  })
  .meta({ id: "HealthRoom" });

/** The answer, with a member for each feature that has one. */
function healthAnswer(ofFeatures: readonly NamedHealth[], codes: readonly string[]) {
  const attention = z
    .object({
      code: z.enum(codes as [string, ...string[]]),
      severity: z.enum(["fault", "warning"]),
      /** A process by its name, a room or a webhook by its id; null: all of it. */
      about: z.string().nullable(),
      /** What it is and what to do. */
      text: z.string(),
    })
    .meta({ id: "HealthAttention" });
  return z
    .object({
      at: timeText,
      /** Faults first. */
      attention: z.array(attention),
      /** Of those below, null is what this key or person need not know, or did not ask for. */
      processes: z.array(process).nullable(),
      store: store.nullable(),
      keys: z.array(key).nullable(),
      rooms: z.array(room).nullable(),
      ...Object.fromEntries(ofFeatures.map(({ member, answer }) => [member, answer.nullable()])),
    })
    .meta({ id: "Health" });
}

/** How the installation is. What is of no room is shown to those for all rooms; hosts and files are named to operators alone. */
export function healthRoutes({ health, healthOfFeatures, attentionCodes, issuers }: HealthRoutesOptions): AdminRoute[] {
  return [
    routesAbout("/health", () => null)(
      "GET",
      "",
      {
        summary: "Shows how processes, store, keys and logs are, and what is not well; asks no store.",
        tag: "Health",
        role: "viewer",
        reach: "own",
        query: object({ show: oneOf("part", ["all", "attention"]).default("all") }),
        answers: healthAnswer(healthOfFeatures, attentionCodes),
      },
      ({ principal, query: { show } }) => {
        const seen = health.look();
        const isForAll = principal.rooms === null;
        const mayKnow = isForAll && principal.hasRole("operator");
        const isTheirs = ({ room }: Attention) => isForAll || (room !== null && principal.isFor(room));
        const [isAll, isAllOfAll] = [show === "all", show === "all" && isForAll];
        return {
          at: formatTime(seen.nowMs),
          attention: seen.attention.filter(isTheirs).map((attention) => attentionJson(attention, mayKnow)),
          processes: isAllOfAll ? seen.processes.map((process) => processJson(process, health.id)) : null,
          store: isAllOfAll ? storeJson(seen.store) : null,
          keys: isAllOfAll ? issuers.flatMap(keysJson) : null,
          rooms: isAll ? seen.rooms.filter(({ id }) => principal.isFor(id)).map(roomJson) : null,
          ...Object.fromEntries(
            seen.reports.map(({ health: { member, answerOf }, selves }) => [
              member,
              isAllOfAll ? answerOf(selves) : null,
            ]),
          ),
        };
      },
    ),
  ];
}

type Seen = ReturnType<Health["look"]>;

function attentionJson({ code, severity, about, text, publicText }: Attention, mayKnow: boolean) {
  return { code, severity, about, text: mayKnow ? text : (publicText ?? text) };
}

function processJson({ id, self, seenMs, isMissing }: SeenProcess, thisId: string): z.output<typeof process> {
  return {
    id,
    name: self.name,
    state: isMissing ? "gone" : self.state,
    answers: id === thisId,
    version: self.version,
    build: self.build,
    node: self.node,
    configuration: configurationDigest(self.configuration),
    started_at: formatTime(self.started_ms),
    seen_at: formatTime(seenMs),
    clock_ahead_ms: self.skew_ms,
    loop_delay_ms: self.loop_delay_ms,
    memory_bytes: self.memory_bytes,
    heap_share: self.heap_share,
    requests_per_second: self.requests_per_second,
    store_latency_ms: self.store_latency_ms,
    checkpoints_written_at: timeOrNull(self.checkpoints_written_ms),
    failing_secrets: self.failing_secrets.length,
  };
}

function storeJson({ awayReason, ageMs, latencyMs, server }: Seen["store"]): z.output<typeof store> {
  return {
    answers: awayReason === null && ageMs !== null,
    age_ms: ageMs,
    latency_ms: latencyMs,
    server: server && {
      software: server.software,
      version: server.version,
      arrangement: server.arrangement,
      run: server.runId.slice(0, 8),
      up_seconds: server.upSec,
      used_bytes: server.usedBytes,
      max_bytes: server.maxBytes,
      eviction_policy: server.evictionPolicy,
      append_only: server.isAppendOnly,
      saved_at: timeOrNull(server.savedMs),
      role: server.role,
      replicas: server.replicas,
    },
  };
}

function keysJson({ issuer, keys }: IssuerRegistry): z.output<typeof key>[] {
  return keys
    .list()
    .filter(({ key: { state } }) => state !== "retired")
    .map(({ key: { kid, purpose, alg, state, since }, mayPromoteAtMs, mayRetireAtMs, isAvailable }) => ({
      kid,
      issuer,
      purpose,
      alg,
      state,
      held: isAvailable,
      since: timeOrNull(since[state]),
      next_step_at: timeOrNull(mayPromoteAtMs ?? mayRetireAtMs),
    }));
}

function roomJson({ id, availability, sealing }: Seen["rooms"][number]): z.output<typeof room> {
  const log = sealing && {
    rows: sealing.last,
    unsealed: sealing.last - sealing.sealed,
    sealed_through_at: timeOrNull(sealing.sealedThroughMs),
  };
  return { room: id, availability, log };
}
