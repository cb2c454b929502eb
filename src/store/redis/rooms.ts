import {
  checkClaimCount,
  checkJoin,
  checkKeyCount,
  checkSubCount,
  offerOf,
  reportJoin,
  seenOf,
} from "../../core/ports/reports.ts";
import { chunkNumbers, minuteChunks, rowsOfChunk, tensChunks } from "../../core/ports/statistics-ring.ts";
import type { Offer } from "../../core/recovery/contribute.ts";
import { stableText } from "../../lib/json.ts";
import type {
  AdmissionEnd,
  Gap,
  LoadReport,
  Outcome,
  RoomSettings,
  RoomSettingsPatch,
  RoomStore,
  SeenIncarnation,
  VoidRequest,
} from "../contract/room-store.ts";
import type { Keys } from "./keys.ts";
import type { ScriptOutcome } from "./replies.ts";
import type { Runner } from "./runner.ts";
import { type ScriptSpec, scripts } from "./scripts.ts";
import { readNode, type SlotMoves } from "./slot-moves.ts";

type Elsewhere = Extract<ScriptOutcome<never>, { readonly result: "elsewhere" }>;

/** A recovery ends, and a file is put in force with another shared outflow: once each, and once more in a race. */
const maxRuns = 5;

/**
 * The rooms in Redis: each operation is one script.
 *
 * @param moves of the slots of a Cluster; null where there is none
 */
export function createRedisRooms(runner: Runner, keys: Keys, moves: SlotMoves | null = null): RoomStore {
  /** The shared outflow of each room that has one, as far as this process knows. */
  const groups = new Map<string, string>();

  function recordGroup(room: string, { inlet }: RoomSettings): void {
    setGroup(room, inlet.sharedOutflow?.id ?? "");
  }

  function setGroup(room: string, id: string): void {
    if (id === "") groups.delete(room);
    else groups.set(room, id);
  }

  /**
   * Runs a script with the keys of the room and of its shared outflow. One that has done nothing, because something
   * had to be done first or because it was given the keys of another shared outflow, is run again.
   */
  async function enter<T>(
    script: ScriptSpec<ScriptOutcome<T>>,
    room: string,
    incarnation: SeenIncarnation,
    request: object,
    requestId: string | null = null,
  ): Promise<Outcome<T>> {
    const text = jsonOf({ ...request, seen: seenOf(incarnation) });
    const roomKeys = { ...keys.room(room), answers: keys.request(room, requestId ?? "") };
    for (let run = 0; run < maxRuns; run++) {
      const group = groups.get(room) ?? "";
      const args = { room, group, request: text };
      const sentMs = performance.now();
      const outcome = await runner.run(script, { ...roomKeys, ...keys.group(room, group) }, args);
      if (outcome.result === "transitions_due") await runner.run(scripts.applyTransitions, roomKeys, args);
      else if (outcome.result === "wrong_group") setGroup(room, outcome.group);
      else if (outcome.result === "elsewhere") {
        if (!(await followed(room, roomKeys.state, outcome, incarnation))) return { result: "recover" };
      } else {
        if (outcome.result === "ok") moves?.recordAnswer(room, sentMs);
        return outcome;
      }
    }
    throw new Error(`room ${room} does not come to rest`);
  }

  /** Whether the state was brought to the node that answers by a planned move, and goes on there. */
  async function followed(room: string, state: string, { from, info }: Elsewhere, incarnation: SeenIncarnation) {
    const to = readNode(info);
    if (moves === null || !(await moves.isPlanned(room, state, from, to))) return false;
    const request = { seen: seenOf(incarnation), from, to: to.runId, replication: to.replication };
    // Another process may have been first; the operation finds out.
    await run(scripts.followMove, room, request);
    return true;
  }

  /** @param requestOf the script's request, of the arguments */
  const operation =
    <A extends unknown[], T>(script: ScriptSpec<ScriptOutcome<T>>, requestOf: (...args: A) => object) =>
    (room: string, incarnation: SeenIncarnation, ...args: A) =>
      enter(script, room, incarnation, requestOf(...args));

  /** A script that needs nothing to be checked first. */
  const run = <T>(script: ScriptSpec<T>, room: string, request: object) =>
    runner.run(script, keys.room(room), { request: jsonOf(request) });

  return {
    isLogWhole: false,
    async forget(room) {
      groups.delete(room);
      moves?.forget(room);
      const roomKeys = [...Object.values(keys.room(room)), ...Object.values(keys.group(room, ""))];
      await runner.command("forget", (client) => client.unlink(...roomKeys));
    },
    contribute(contribution) {
      recordGroup(contribution.room, contribution.fileSettings);
      return run(scripts.contribute, contribution.room, withRows(offerOf(contribution, stableText)));
    },
    async tick(room, incarnation, since, eventsAfter) {
      const outcome = await enter(scripts.tick, room, incarnation, { since, eventsAfter });
      if (outcome.result === "ok") recordGroup(room, outcome.value.state.settings.effective);
      return outcome;
    },
    async join(room, incarnation, count, rows = "") {
      checkJoin(count, rows);
      return reportJoin(await enter(scripts.join, room, incarnation, { count, rows }));
    },
    entryBlocks: (room, from, count) => run(scripts.entryBlocks, room, { from, count }),
    voidEntries: operation(scripts.voidEntries, (request: VoidRequest) => {
      return { ...request, numbers: gapRows(request.numbers) };
    }),
    restoreEntries: operation(scripts.restoreEntries, (request) => request),
    async joinKeys(room, incarnation, request) {
      checkKeyCount(request);
      return reportJoin(await enter(scripts.joinKeys, room, incarnation, request));
    },
    listKeys: operation(scripts.listKeys, (after: number, limit: number) => ({ after, limit })),
    async claim(room, incarnation, claims) {
      checkClaimCount(claims);
      return enter(scripts.claim, room, incarnation, { claims });
    },
    leave: operation(scripts.leave, (request) => request),
    move: operation(scripts.move, (request) => request),
    async admissions(room, subs) {
      checkSubCount(subs);
      return run(scripts.admissions, room, { subs });
    },
    endAdmission: operation(scripts.endAdmission, (sub: string, why: AdmissionEnd) => ({ sub, why })),
    renewAdmission: operation(scripts.renewAdmission, (sub: string) => ({ sub })),
    recordVisit: operation(scripts.recordVisit, (sub: string) => ({ sub })),
    takeEndedLogins: operation(scripts.takeEndedLogins, (notified: readonly string[], limit: number) => {
      return { notified, limit };
    }),
    keepPush: operation(scripts.keepPush, (request) => request),
    dropPush: operation(scripts.dropPush, (sub: string) => ({ sub })),
    takePushes: operation(scripts.takePushes, (request) => request),
    takeLogin: operation(scripts.takeLogin, (sub: string, login: string) => ({ sub, login })),
    listAdmissions: (room, cursor, limit, wanted = {}) => run(scripts.listAdmissions, room, { cursor, limit, wanted }),
    adminStep: (room, incarnation, step, requestId) =>
      enter(scripts.adminStep, room, incarnation, { step, requestId, text: stableText(step) }, requestId),
    repeatedStep: (room, incarnation, step, requestId) =>
      enter(scripts.repeatedStep, room, incarnation, { requestId, text: stableText(step) }, requestId),
    reportHealth: operation(scripts.reportHealth, (latencyMs: number | null) => ({ latencyMs })),
    reportLoad: operation(scripts.reportLoad, (report: LoadReport) => report),
    commitDraw: operation(scripts.commitDraw, (commitment) => commitment),
    fixDraw: operation(scripts.fixDraw, (outcome) => outcome),
    changeSettings: operation(
      scripts.changeSettings,
      (live: RoomSettingsPatch, effective: RoomSettings, expectedVersion: number) => {
        return { live: stableText(live), effective: stableText(effective), expectedVersion };
      },
    ),
    recordStatistics: operation(scripts.recordStatistics, (report) => ({ report })),
    async readStatistics(room, tier, firstChunk, count) {
      const numbers = chunkNumbers(firstChunk, count);
      // First, so that a slot which is closed meanwhile is in both, and not in neither.
      const open = await run(scripts.openStatistics, room, {});
      const key = keys.room(room)[`statistics_${tier}`];
      const places = numbers.map((number) => String(number % ringSizes[tier]));
      const chunks =
        places.length === 0
          ? []
          : await runner.command("read-statistics", (client) => client.hmgetBuffer(key, ...places));
      return {
        slots: numbers.flatMap((number, index) => rowsOfChunk(chunks[index], number)),
        open: open.slot === 0 ? null : open,
      };
    },
    readLog: (room, after, limit) => run(scripts.readLog, room, { after, limit }),
    moveLogMark: (room, mark, from, to) => run(scripts.moveLogMark, room, { mark, from, to }),
  };
}

const ringSizes = { tens: tensChunks, minutes: minuteChunks } as const;

/** As Lua reads it: what is null is missing. */
function jsonOf(request: object): string {
  return JSON.stringify(request, (_name, value) => value ?? undefined);
}

function gapRows(gaps: readonly Gap[]) {
  return gaps.map(({ from, to }) => [from, to]);
}

/** Gaps and lapses are rows of numbers to scripts. */
function withRows({ memory, ...offer }: Offer) {
  const encoded = memory && {
    ...memory,
    gaps: gapRows(memory.gaps),
    liveLapses: memory.liveLapses.map(({ untilMs, count }) => [untilMs, count]),
    draws: memory.draws.map((draw) => ({ ...draw, gaps: gapRows(draw.gaps) })),
    voids: memory.voids.map((entryVoid) => ({ ...entryVoid, numbers: gapRows(entryVoid.numbers) })),
  };
  return { ...offer, memory: encoded };
}
