/**
 * Every script: its keys, its arguments and how its reply is read. The order of KEYS and ARGV is decided here and
 * nowhere else: the runner makes the Lua tables `key` and `arg` from this one.
 */
import type { Admission, ClaimResult, Counters, JoinRange, Outcome, Phase } from "../room-store.ts";
import { type Reply, readAdmission, readOutcome } from "./replies.ts";

export interface ScriptSpec<K extends string, A extends string, R> {
  /** Name of the Lua file. */
  readonly name: string;
  /** Shared parts of lua/lib, in order, put before the file. */
  readonly uses: readonly string[];
  readonly keys: readonly K[];
  readonly args: readonly A[];
  read(reply: Reply): R;
}

function script<const K extends string, const A extends string, R>(spec: ScriptSpec<K, A, R>): ScriptSpec<K, A, R> {
  return spec;
}

const base = ["clock", "server", "prelude", "gaps", "advances", "recovery"];
const recordBase = ["clock", "server", "records"];
const admissionKeys = ["admissions", "live", "ended", "changes", "claimed_places"] as const;
const knockKeys = ["knocks", "knock_times", "held_times"] as const;

/** Now, the number of the last change, whether there are more, and their JSON. */
export interface ChangesReply {
  readonly cursor: number;
  readonly more: boolean;
  readonly admissions: string[];
}

function readChanges(reply: Reply, at: number): ChangesReply {
  return {
    cursor: reply.number(at),
    more: reply.text(at + 1) === "1",
    admissions: reply.list(at + 2).texts(),
  };
}

function readClaim(reply: Reply): ClaimResult {
  const result = reply.text(1) as ClaimResult["result"];
  switch (result) {
    case "admitted":
      // The moment of the claim is before the admission's end, whatever this process's clock says.
      return { result, isNew: reply.text(2) === "1", admission: readAdmission(reply.text(3), 0) };
    case "answered":
    case "exhausted":
      return { result, admission: readAdmission(reply.text(3), 0) };
    case "held":
      return { result, retryMs: reply.number(2), rank: reply.number(3) };
    default:
      return { result };
  }
}

function readEnd(reply: Reply): Admission | null {
  return reply.text(2) === "" ? null : readAdmission(reply.text(2), reply.number(1));
}

type StepAnswer = (Counters & { edition: number; phase: Phase }) | { conflict: true };

function readStep(reply: Reply): StepAnswer {
  const answer = reply.text(1);
  return answer === "conflict" ? { conflict: true } : (JSON.parse(answer) as StepAnswer);
}

export const scripts = {
  join: script({
    name: "join",
    uses: base,
    keys: ["state", "rows"],
    args: ["life", "count"],
    read: (reply): Outcome<JoinRange> =>
      readOutcome(reply, (r) => ({
        edition: r.number(1),
        first: r.number(2),
        last: r.number(3),
        joinedMs: r.number(4),
        serving: r.number(5),
      })),
  }),
  claim: script({
    name: "claim",
    uses: [...base, "admissions", "knocks", "limiter", "outflow"],
    keys: ["state", "rows", "left_places", "log", ...admissionKeys, ...knockKeys],
    args: [
      "life",
      "sub",
      "edition",
      "position",
      "joined_ms",
      "login",
      "has_login",
      "proof_admitted_ms",
      "proof_expires_ms",
    ],
    read: (reply) => readOutcome(reply, readClaim),
  }),
  leave: script({
    name: "leave",
    uses: [...base, "knocks"],
    keys: ["state", "rows", "left_places", ...knockKeys],
    args: ["life", "edition", "position"],
    read: (reply): Outcome<void> => readOutcome(reply, () => undefined),
  }),
  tick: script({
    name: "tick",
    uses: [...base, "admissions", "knocks", "limiter", "outflow", "batches", "pull"],
    keys: ["state", "rows", "log", ...admissionKeys, ...knockKeys],
    args: ["life", "since"],
    read: (reply) => readOutcome(reply, (r) => ({ state: r.list(1), changes: readChanges(r, 2) })),
  }),
  admission: script({
    name: "admission",
    uses: ["clock"],
    keys: ["admissions"],
    args: ["sub"],
    read: (reply) => (reply.text(1) === "" ? null : readAdmission(reply.text(1), reply.number(0))),
  }),
  listAdmissions: script({
    name: "list-admissions",
    uses: ["clock", "prelude", "admissions"],
    keys: ["state", ...admissionKeys],
    args: ["cursor", "limit"],
    read: (reply) => ({ nowMs: reply.number(0), changes: readChanges(reply, 1) }),
  }),
  endAdmission: script({
    name: "end-admission",
    uses: [...base, "admissions"],
    keys: ["state", "rows", ...admissionKeys],
    args: ["life", "sub", "end"],
    read: (reply) => readOutcome(reply, readEnd),
  }),
  changeSettings: script({
    name: "change-settings",
    uses: base,
    keys: ["state", "rows"],
    args: ["life", "live", "effective", "expected_version"],
    read: (reply): Outcome<{ version: number } | null> =>
      readOutcome(reply, (r) => (r.text(1) === "" ? null : { version: r.number(1) })),
  }),
  adminStep: script({
    name: "admin-step",
    uses: [...base, "knocks", "batches", "edition"],
    keys: ["state", "rows", "claimed_places", "left_places", ...knockKeys, "request"],
    args: ["life", "step", "by", "text", "has_request"],
    read: (reply) => readOutcome(reply, readStep),
  }),
  contribute: script({
    name: "contribute",
    uses: [...base, "admissions", "knocks", "edition", "merge"],
    keys: ["state", "rows", "left_places", ...admissionKeys, ...knockKeys],
    args: ["file", "is_new", "memory", "memory_effective", "memory_file", "memory_live", "admissions"],
    read: (reply) => ({ life: reply.text(0), remainingMs: reply.number(1) }),
  }),
  upsertRecord: script({
    name: "upsert-record",
    uses: recordBase,
    keys: ["record"],
    args: ["payload", "ttl_ms", "bound_to_run"],
    read: () => undefined,
  }),
  findRecord: script({
    name: "find-record",
    uses: recordBase,
    keys: ["record"],
    args: [],
    read: (reply) => ({ payload: reply.text(0), consumed: reply.text(1) }),
  }),
  consumeRecord: script({
    name: "consume-record",
    uses: recordBase,
    keys: ["record"],
    args: [],
    read: (reply) => reply.text(0) === "consumed",
  }),
  putIndex: script({
    name: "put-index",
    uses: ["clock"],
    keys: ["index"],
    args: ["id", "ttl_ms"],
    read: () => undefined,
  }),
  findIndex: script({
    name: "find-index",
    uses: ["clock"],
    keys: ["index"],
    args: [],
    read: (reply) => reply.text(0),
  }),
  fileUnderGrant: script({
    name: "file-under-grant",
    uses: ["clock"],
    keys: ["grant"],
    args: ["record", "ttl_ms"],
    read: (reply) => reply.text(0) === "filed",
  }),
  revokeGrant: script({
    name: "revoke-grant",
    uses: ["clock"],
    keys: ["grant"],
    args: ["ttl_ms"],
    read: (reply) => reply.texts(),
  }),
  agreeOnKeys: script({
    name: "agree-on-keys",
    uses: [],
    keys: ["fingerprints"],
    args: ["offered", "replace"],
    read: (reply) => JSON.parse(reply.text(0)) as Record<string, string>,
  }),
  checkServer: script({
    name: "check-server",
    uses: ["clock"],
    keys: ["fingerprints"],
    args: [],
    read: (reply) => ({ nowMs: reply.number(0), info: reply.text(1) }),
  }),
};
