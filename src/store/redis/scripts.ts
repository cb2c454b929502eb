/**
 * Every script: its keys, its arguments and how its reply is read. The order of KEYS and ARGV is decided here and
 * nowhere else: the runner makes the Lua tables `key` and `arg` from this one.
 */
import type { Admission, ClaimResult, JoinRange, StepAnswer } from "../contract/room-store.ts";
import { type AdmissionTimes, type Reply, readAdmission, readEndedLogins, readMoves, readOutcome } from "./replies.ts";
import { script } from "./script-spec.ts";
import { documentScripts } from "./scripts-documents.ts";
import { logScripts } from "./scripts-log.ts";
import { oidcScripts } from "./scripts-oidc.ts";

export type { ScriptSpec } from "./script-spec.ts";

/** All parts of scripts on a room, in order: a part uses those before it. A script takes of them what it uses. */
const parts = [
  "clock",
  "server",
  "prelude",
  "ports",
  "count-log",
  "position-set",
  "settings",
  "generated/gaps",
  "generated/pending-claims",
  "generated/holds",
  "generated/draw-progress",
  "generated/draw-marks",
  "generated/progress",
  "generated/limiter",
  "generated/advances",
  "generated/draw-draws",
  "generated/phases",
  "generated/clocks",
  "generated/wall-times",
  "generated/outflow",
  "generated/batches",
  "generated/admissions-lapses",
  "generated/capacity",
  "generated/adaptive-rate",
  "generated/rules",
  "generated/adaptive-load",
  "generated/adaptive-adapt",
  "generated/admission-log",
  "generated/groups",
  "generated/health",
  "generated/recovery-gaps",
  "generated/recovery-edition",
  "generated/recovery-draw-merge",
  "generated/recovery-merge",
  "generated/steps",
  "generated/settings",
  "groups",
  "recovery",
  "enter",
  "generated/admissions-ended-logins",
  "generated/admissions-admissions",
  "generated/admissions-merge",
  "generated/inlet",
  "generated/claim-hold",
  "generated/used-links",
  "generated/moves",
  "generated/join",
  "generated/leave",
  "generated/move",
  "generated/claim",
  "generated/tick",
  "admissions",
  "moves",
  "merge",
];

const entryKeys = ["state", "group", "group_log", "log"] as const;
const admissionKeys = ["admissions", "live", "ended", "ended_logins", "idle", "changes", "claimed_places"] as const;
const moveKeys = ["holders", "moves"] as const;
const pendingClaimKeys = ["pending_claims", "pending_claim_times", "held_times", "held"] as const;
/** Where a place stands: the position as the caller knows it, and from what it was drawn, "" where it knows of no draw. */
const placeArgs = ["position", "entry_number", "entry_draw"] as const;
/** What the caller has seen, see `Seen`. */
const seenArgs = ["incarnation", "seen_flow_ms", "seen_edition", "seen_queued"] as const;
/** `group`: the id of the shared outflow whose keys are given, "" for none. */
const entryArgs = [...seenArgs, "room", "group"] as const;

/** The number of the last change, whether there are more, and their JSON. */
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

/** Now, the flow clock and up to when admissions of the idle phase have ended, from `at` on. */
function readTimes(reply: Reply, at: number): AdmissionTimes {
  return { nowMs: reply.number(at), flowMs: reply.number(at + 1), idleEndedMs: reply.number(at + 2) };
}

/** The record's JSON at `at`, followed by those times. */
function readTold(reply: Reply, at: number): Admission {
  return readAdmission(reply.text(at), readTimes(reply, at + 1));
}

function readRecord(reply: Reply, at: number): Admission | null {
  return reply.text(at) === "" ? null : readTold(reply, at);
}

function readClaim(reply: Reply): ClaimResult {
  const result = reply.text(1) as ClaimResult["result"];
  switch (result) {
    case "admitted":
      return { result, isNew: reply.text(2) === "1", admission: readTold(reply, 3) };
    case "answered":
    case "exhausted":
    case "too_many_addresses":
      return { result, admission: readTold(reply, 3) };
    case "held":
      return {
        result,
        retryMs: reply.number(2),
        rank: reply.number(3),
        by: reply.text(4) as "recovery" | "limit" | "capacity",
      };
    default:
      return { result };
  }
}

function readRefusal(text: string): JoinRange["refusal"] {
  return text === "" ? null : (text as "full" | "closed");
}

function readStep(reply: Reply): StepAnswer | { conflict: true } {
  const answer = reply.text(1);
  return answer === "conflict" ? { conflict: true } : (JSON.parse(answer) as StepAnswer);
}

export const scripts = {
  join: script({
    name: "join",
    uses: parts,
    keys: [...entryKeys, "rows", "live", ...pendingClaimKeys],
    args: [...entryArgs, "count"],
    read: (reply) =>
      readOutcome(
        reply,
        (r): JoinRange => ({
          edition: r.number(1),
          first: r.number(2),
          last: r.number(3),
          refusal: readRefusal(r.text(4)),
          joinedMs: r.number(5),
          serving: r.number(6),
        }),
      ),
  }),
  claim: script({
    name: "claim",
    uses: parts,
    keys: [
      ...entryKeys,
      "rows",
      ...admissionKeys,
      "left_places",
      ...pendingClaimKeys,
      "used_links",
      "holders",
      "used_entries",
      "admission_log",
    ],
    args: [
      ...entryArgs,
      "sub",
      "edition",
      ...placeArgs,
      "joined_ms",
      "login",
      "has_login",
      "address",
      "proof_admitted_ms",
      "proof_expires_ms",
      "proof_via",
      "bypass_id",
      "bypass_made_ms",
      "bypass_expires_ms",
      "is_silent",
    ],
    read: (reply) => readOutcome(reply, readClaim),
  }),
  leave: script({
    name: "leave",
    uses: parts,
    keys: [...entryKeys, "claimed_places", "left_places", ...pendingClaimKeys, "holders", "used_entries"],
    args: [...entryArgs, "sub", "edition", ...placeArgs],
    read: (reply) => readOutcome(reply, () => undefined),
  }),
  move: script({
    name: "move",
    uses: parts,
    keys: [
      ...entryKeys,
      "rows",
      "admissions",
      "claimed_places",
      "left_places",
      "held_times",
      ...moveKeys,
      "used_moves",
      "used_entries",
    ],
    args: [
      ...entryArgs,
      "edition",
      ...placeArgs,
      "joined_ms",
      "from",
      "to",
      "link_id",
      "link_made_ms",
      "link_expires_ms",
    ],
    read: (reply) => readOutcome(reply, (r) => (r.text(1) === "" ? null : { movedMs: r.number(1) })),
  }),
  settle: script({
    name: "settle",
    uses: parts,
    keys: ["state", "rows", "live", "admission_log"],
    args: ["incarnation"],
    read: (reply) => readOutcome(reply, () => undefined),
  }),
  tick: script({
    name: "tick",
    uses: parts,
    keys: [...entryKeys, "rows", ...admissionKeys, "left_places", ...pendingClaimKeys, ...moveKeys, "admission_log"],
    args: [...entryArgs, "since"],
    read: (reply) =>
      readOutcome(reply, (r) => ({ state: r.list(1), changes: readChanges(r, 2), moves: readMoves(r.list(5)) })),
  }),
  admission: script({
    name: "admission",
    uses: parts,
    keys: ["state", "admissions"],
    args: ["sub"],
    read: (reply) => readRecord(reply, 0),
  }),
  listAdmissions: script({
    name: "list-admissions",
    uses: parts,
    keys: ["state", "admissions", "changes"],
    args: ["cursor", "limit", "status", "edition", "is_others"],
    read: (reply) => ({ times: readTimes(reply, 0), changes: readChanges(reply, 3) }),
  }),
  endAdmission: script({
    name: "end-admission",
    uses: parts,
    keys: [...entryKeys, "rows", ...admissionKeys, "pending_claims"],
    args: [...entryArgs, "sub", "end"],
    read: (reply) => readOutcome(reply, (r) => readRecord(r, 1)),
  }),
  renewAdmission: script({
    name: "renew-admission",
    uses: parts,
    keys: [...entryKeys, ...admissionKeys],
    args: [...entryArgs, "sub"],
    read: (reply) => readOutcome(reply, (r) => readRecord(r, 1)),
  }),
  takeEndedLogins: script({
    name: "take-ended-logins",
    uses: parts,
    keys: [...entryKeys, "ended_logins"],
    args: [...entryArgs, "told", "limit"],
    read: (reply) => readOutcome(reply, (r) => readEndedLogins(r.list(1))),
  }),
  takeLogin: script({
    name: "take-login",
    uses: parts,
    keys: [...entryKeys, ...admissionKeys],
    args: [...entryArgs, "sub", "login"],
    read: (reply) => readOutcome(reply, (r) => readRecord(r, 1)),
  }),
  reportHealth: script({
    name: "report-health",
    uses: parts,
    keys: entryKeys,
    args: [...entryArgs, "is_healthy"],
    read: (reply) => readOutcome(reply, () => undefined),
  }),
  reportLoad: script({
    name: "report-load",
    uses: parts,
    keys: entryKeys,
    args: [...entryArgs, "source", "latency_ms", "error_rate", "signal"],
    read: (reply) => readOutcome(reply, () => undefined),
  }),
  commitDraw: script({
    name: "commit-draw",
    uses: parts,
    keys: [...entryKeys],
    args: [...entryArgs, "edition", "id", "key_id", "commitment", "chain"],
    read: (reply) => readOutcome(reply, () => undefined),
  }),
  fixDraw: script({
    name: "fix-draw",
    uses: parts,
    keys: [...entryKeys],
    args: [...entryArgs, "edition", "id", "seed", "beacon"],
    read: (reply) => readOutcome(reply, (r) => r.text(1) === "1"),
  }),
  changeSettings: script({
    name: "change-settings",
    uses: parts,
    keys: [...entryKeys, "rows"],
    args: [...entryArgs, "live_changes", "effective", "expected_version"],
    read: (reply) => readOutcome(reply, (r) => (r.text(1) === "" ? null : { version: r.number(1) })),
  }),
  adminStep: script({
    name: "admin-step",
    uses: parts,
    keys: [
      ...entryKeys,
      "rows",
      "live",
      "claimed_places",
      "left_places",
      ...pendingClaimKeys,
      ...moveKeys,
      "used_moves",
      "used_entries",
      "admission_log",
      "request",
    ],
    args: [...entryArgs, "step", "by", "phase", "is_set", "count", "text", "has_request"],
    read: (reply) => readOutcome(reply, readStep),
  }),
  contribute: script({
    name: "contribute",
    uses: parts,
    keys: [
      "state",
      "rows",
      ...admissionKeys,
      "left_places",
      "log",
      ...pendingClaimKeys,
      ...moveKeys,
      "used_moves",
      "used_entries",
      "admission_log",
    ],
    args: [
      ...seenArgs,
      "file",
      "is_new",
      "memory",
      "memory_effective",
      "memory_file",
      "memory_live",
      "admissions",
      "moves",
    ],
    read: (reply) => ({ incarnation: reply.text(0), remainingMs: reply.number(1) }),
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
  ...oidcScripts,
  ...documentScripts,
  ...logScripts,
};
