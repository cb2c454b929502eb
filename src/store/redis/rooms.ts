import { stableText } from "../../lib/stable-text.ts";
import { seenOf } from "../contract/known-incarnation.ts";
import type {
  AdminStep,
  ClaimRequest,
  Contribution,
  KnownIncarnation,
  KnownPlace,
  LoadReport,
  Outcome,
  RoomSettings,
  RoomStore,
} from "../contract/room-store.ts";
import type { GroupKeys, Keys, RoomKeys } from "./keys.ts";
import { readAdmission, readState, type ScriptOutcome } from "./replies.ts";
import type { Runner } from "./runner.ts";
import { scripts } from "./scripts.ts";

const maxJoin = 10_000;
/** A recovery ends, and a file is laid down with another shared outflow: once each, and once more in a race. */
const maxRuns = 5;

type EntryKeys = RoomKeys & GroupKeys;
interface EntryArgs extends ReturnType<typeof seenArgs> {
  readonly room: string;
  readonly group: string;
}

/** The rooms in Redis: each operation is one script. */
export function createRedisRooms(runner: Runner, keys: Keys): RoomStore {
  /** The shared outflow of each room that has one, as far as this process has heard. */
  const groups = new Map<string, string>();

  function noteGroup(room: string, id: string): void {
    if (id === "") groups.delete(room);
    else groups.set(room, id);
  }

  /**
   * Runs a script with the keys of the room and of its shared outflow. One that has done nothing, because something
   * had to be done first or because it was given the keys of another shared outflow, is run again.
   */
  async function enter<T>(
    room: string,
    incarnation: KnownIncarnation,
    send: (keys: EntryKeys, args: EntryArgs) => Promise<ScriptOutcome<T>>,
  ): Promise<Outcome<T>> {
    const args = { ...seenArgs(incarnation), room };
    for (let run = 0; run < maxRuns; run++) {
      const group = groups.get(room) ?? "";
      const outcome = await send({ ...keys.room(room), ...keys.group(room, group) }, { ...args, group });
      if (outcome.result === "settle") await runner.run(scripts.settle, keys.room(room), args);
      else if (outcome.result === "regroup") noteGroup(room, outcome.group);
      else return outcome;
    }
    throw new Error(`room ${room} does not settle`);
  }

  return {
    async forget(room) {
      groups.delete(room);
      const own = [...Object.values(keys.room(room)), ...Object.values(keys.group(room, ""))];
      await runner.command("forget", (client) => client.unlink(...own));
    },
    async contribute(contribution) {
      noteGroup(contribution.room, groupOf(contribution.fileSettings));
      return contribute(runner, keys, contribution);
    },
    async tick(room, incarnation, since) {
      const outcome = await enter(room, incarnation, (k, args) => runner.run(scripts.tick, k, { ...args, since }));
      if (outcome.result !== "ok") return outcome;
      const { changes, moves } = outcome.value;
      const state = readState(room, outcome.value.state);
      noteGroup(room, groupOf(state.settings.effective));
      const admissions = changes.admissions.map((json) => readAdmission(json, state));
      return { result: "ok", value: { state, admissions, moves, cursor: changes.cursor, more: changes.more } };
    },
    async join(room, incarnation, count) {
      if (!Number.isInteger(count) || count < 1 || count > maxJoin) {
        throw new RangeError(`cannot join ${count} at once`);
      }
      return enter(room, incarnation, (k, args) => runner.run(scripts.join, k, { ...args, count }));
    },
    claim: (room, incarnation, claim) =>
      enter(room, incarnation, (k, args) => runner.run(scripts.claim, k, { ...args, ...claimArgs(claim) })),
    leave: (room, incarnation, leave) =>
      enter(room, incarnation, (k, args) =>
        runner.run(scripts.leave, k, { ...args, sub: leave.sub, edition: leave.edition, ...placeArgs(leave) }),
      ),
    async move(room, incarnation, move) {
      const { edition, joinedMs, from, to, link } = move;
      const outcome = await enter(room, incarnation, (k, args) =>
        runner.run(scripts.move, k, {
          ...args,
          edition,
          ...placeArgs(move),
          joined_ms: joinedMs,
          from,
          to,
          link_id: link.id,
          link_made_ms: link.madeMs,
          link_expires_ms: link.expiresMs,
        }),
      );
      if (outcome.result !== "ok") return outcome;
      const number = move.entry?.number ?? move.position;
      return { result: "ok", value: outcome.value && { number, sub: to, ...outcome.value } };
    },
    admission: (room, sub) => runner.run(scripts.admission, keys.room(room), { sub }),
    endAdmission: (room, incarnation, sub, end) =>
      enter(room, incarnation, (k, args) => runner.run(scripts.endAdmission, k, { ...args, sub, end })),
    renewAdmission: (room, incarnation, sub) =>
      enter(room, incarnation, (k, args) => runner.run(scripts.renewAdmission, k, { ...args, sub })),
    takeEndedLogins: (room, incarnation, told, limit) =>
      enter(room, incarnation, (k, args) =>
        runner.run(scripts.takeEndedLogins, k, { ...args, told: JSON.stringify(told), limit }),
      ),
    takeLogin: (room, incarnation, sub, login) =>
      enter(room, incarnation, (k, args) => runner.run(scripts.takeLogin, k, { ...args, sub, login })),
    async listAdmissions(room, cursor, limit, { status = "", edition } = {}) {
      const page = await runner.run(scripts.listAdmissions, keys.room(room), {
        cursor,
        limit,
        status,
        edition: edition?.id ?? "",
        is_others: edition?.isOthers ? "1" : "0",
      });
      const { times, changes } = page;
      const admissions = changes.admissions.map((json) => readAdmission(json, times));
      return { admissions, cursor: changes.more ? changes.cursor : null };
    },
    adminStep: (room, incarnation, step, requestId) =>
      enter(room, incarnation, (k, args) => {
        const request = keys.request(room, requestId ?? "");
        const has_request = requestId === null ? "0" : "1";
        return runner.run(scripts.adminStep, { ...k, request }, { ...args, ...stepArgs(step), has_request });
      }),
    reportHealth: (room, incarnation, isHealthy) =>
      enter(room, incarnation, (k, args) =>
        runner.run(scripts.reportHealth, k, { ...args, is_healthy: isHealthy ? "1" : "0" }),
      ),
    reportLoad: (room, incarnation, report) =>
      enter(room, incarnation, (k, args) => runner.run(scripts.reportLoad, k, { ...args, ...loadArgs(report) })),
    commitDraw: (room, incarnation, { edition, id, keyId, commitment, chain }) =>
      enter(room, incarnation, (k, args) =>
        runner.run(scripts.commitDraw, k, {
          ...args,
          edition,
          id,
          key_id: keyId,
          commitment,
          chain: JSON.stringify(chain),
        }),
      ),
    fixDraw: (room, incarnation, { edition, id, seed, beacon }) =>
      enter(room, incarnation, (k, args) =>
        runner.run(scripts.fixDraw, k, {
          ...args,
          edition,
          id,
          seed,
          beacon: beacon === null ? "" : JSON.stringify(beacon),
        }),
      ),
    changeSettings: (room, incarnation, live, effective, expectedVersion) =>
      enter(room, incarnation, (k, args) =>
        runner.run(scripts.changeSettings, k, {
          ...args,
          live_changes: stableText(live),
          effective: stableText(effective),
          expected_version: expectedVersion,
        }),
      ),
    readLog: (room, after, limit) => runner.run(scripts.readLog, keys.room(room), { after, limit }),
    moveLogMark: (room, mark, from, to) =>
      runner.run(scripts.moveLogMark, keys.room(room), {
        mark,
        from_seq: from.seq,
        from_hash: from.hash,
        to_seq: to.seq,
        to_hash: to.hash,
      }),
  };
}

function seenArgs(known: KnownIncarnation) {
  const { incarnation, flowMs, edition, queued } = seenOf(known);
  return { incarnation, seen_flow_ms: flowMs, seen_edition: edition, seen_queued: queued };
}

function groupOf({ inlet }: RoomSettings): string {
  return inlet.sharedOutflow?.id ?? "";
}

function placeArgs({ position, entry }: KnownPlace) {
  return { position, entry_number: entry?.number ?? "", entry_draw: entry?.draw ?? "" };
}

function claimArgs(claim: ClaimRequest) {
  const { sub, edition, joinedMs, login, address, proof, bypass, isSilent = false } = claim;
  return {
    sub,
    edition,
    ...placeArgs(claim),
    joined_ms: joinedMs,
    login: login ?? "",
    has_login: login === null ? "0" : "1",
    address: address ?? "",
    proof_admitted_ms: proof?.admittedMs ?? "",
    proof_expires_ms: proof?.expiresMs ?? "",
    proof_via: proof?.via ?? "",
    bypass_id: bypass?.id ?? "",
    bypass_made_ms: bypass?.madeMs ?? "",
    bypass_expires_ms: bypass?.expiresMs ?? "",
    is_silent: isSilent ? "1" : "0",
  };
}

function loadArgs(report: LoadReport) {
  const { errorRate, signal } = report.source === "site" ? report : { errorRate: null, signal: null };
  return {
    source: report.source,
    latency_ms: report.latencyMs ?? "",
    error_rate: errorRate ?? "",
    signal: signal ?? "",
  };
}

function stepArgs(step: AdminStep) {
  return {
    step: step.step,
    by: step.step === "increment" ? step.by : 0,
    phase: step.step === "phase" ? step.phase : "",
    is_set: step.step === "alarm" && step.isSet ? "1" : "0",
    count: step.step === "exited" ? step.count : 0,
    text: stableText(step),
  };
}

async function contribute(runner: Runner, keys: Keys, contribution: Contribution) {
  const { room, fileSettings, memory, isNewRoom, seen = null } = contribution;
  const { settings, admissions, moves, ...counters } = memory ?? { settings: null, admissions: [], moves: [] };
  const { incarnation, remainingMs } = await runner.run(scripts.contribute, keys.room(room), {
    ...seenArgs(seen),
    file: stableText(fileSettings),
    is_new: isNewRoom ? "1" : "0",
    memory: memory === null ? "" : JSON.stringify(counters),
    memory_effective: stableText(settings?.effective ?? null),
    memory_file: stableText(settings?.file ?? null),
    memory_live: stableText(settings?.live ?? null),
    admissions: JSON.stringify(admissions),
    moves: JSON.stringify(moves),
  });
  return { incarnation, recovering: remainingMs > 0, remainingMs };
}
