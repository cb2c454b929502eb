import { reportLoad } from "../../core/adaptive.ts";
import { moveLogMark, readLogTexts } from "../../core/admission-log.ts";
import { endAdmission, recordVisit, renewAdmission, takeEndedLogins, takeLogin } from "../../core/admissions.ts";
import { claim } from "../../core/claim.ts";
import { commitDraw, fixDraw } from "../../core/draw/draws.ts";
import { restoreEntries, voidEntries } from "../../core/draw/voids.ts";
import { eventsFor } from "../../core/events/events.ts";
import { openGroup } from "../../core/groups.ts";
import { advanceClocks, clampStep, reportHealth } from "../../core/holds.ts";
import { addEntries } from "../../core/limiter.ts";
import { join, joinKeys, leave, listKeys, move } from "../../core/places.ts";
import { type AdmissionRecord, createCountLog, readRecord, readRows } from "../../core/ports/lists.ts";
import {
  checkClaimCount,
  checkJoin,
  checkKeyCount,
  checkSubCount,
  offerOf,
  readLogRow,
  reportAdmission,
  reportClaim,
  reportJoin,
  reportVoid,
  seenOf,
} from "../../core/ports/reports.ts";
import { chunkNumbers, minuteChunks, rowsOfChunk, tensChunks } from "../../core/ports/statistics-ring.ts";
import { forgetPush } from "../../core/push-rows.ts";
import { keepPush, takePushes } from "../../core/pushes.ts";
import { contribute } from "../../core/recovery/contribute.ts";
import { applyTransitions, isPutBack } from "../../core/recovery/recovery.ts";
import { createRoom, type Group, type Room, type Share } from "../../core/room.ts";
import { changeSettings } from "../../core/settings.ts";
import { openStatistics, recordStatistics } from "../../core/statistics/statistics.ts";
import { adminStep, repeatedStep } from "../../core/steps.ts";
import { changesSince, listAdmissions, maxPerTick, movedPlaces, moveRoom, reportState } from "../../core/tick.ts";
import { stableText } from "../../lib/json.ts";
import type {
  AdminStep,
  Admission,
  AdmissionEnd,
  ClaimRequest,
  EntryVoid,
  Outcome,
  RestoreRequest,
  RoomChanges,
  RoomSettings,
  RoomSettingsPatch,
  RoomState,
  RoomStore,
  SeenIncarnation,
  VoidRequest,
} from "../contract/room-store.ts";
import type { MemoryData, RoomData } from "./data.ts";
import type { LastMinute } from "./stored-run.ts";

/** What outlives the process of the limiter's log. */
export interface Disk {
  lastMinute: LastMinute;
  readonly noteAdmission: (room: string) => void;
}

/** The rooms in this process: each operation is a function of the core. */
export function createMemoryRooms({
  data,
  disk,
  isShared,
  now,
  count,
}: {
  readonly data: MemoryData;
  readonly disk: Disk;
  /** Whether others may remember a room, who must be waited for. */
  readonly isShared: boolean;
  readonly now: () => number;
  /** Takes the name of each operation that is carried out. */
  readonly count: (operation: string) => void;
}): RoomStore {
  const operation =
    <A extends unknown[], T>(operationName: string, run: (room: RoomData, ...args: A) => T) =>
    async (name: string, incarnation: SeenIncarnation, ...args: A): Promise<Outcome<T>> => {
      count(operationName);
      return enter(data, name, incarnation, now(), (room) => run(room, ...args));
    };
  const joinRoom = operation("join", join);
  const joinWithKeys = operation("join-keys", joinKeys);
  const claimInTurn = operation("claim", (room, claims: readonly ClaimRequest[]) =>
    claims.map((request) => {
      const answer = claim(room, request);
      if (answer.isNew) disk.noteAdmission(room.name);
      return reportClaim(answer, timesOf(room));
    }),
  );

  /** The room with its clocks as of now, for what changes nothing. */
  function present(name: string): RoomData | undefined {
    const room = data.rooms.get(name);
    const nowMs = now();
    return room && { ...room, atMs: nowMs, flowMs: room.flowMs + clampStep(nowMs - room.atMs) };
  }

  return {
    get isLogWhole() {
      return disk.lastMinute.isWhole;
    },
    async forget(name) {
      count("forget");
      data.rooms.delete(name);
      data.joinCounts.delete(name);
      for (const group of data.groups.values()) group.shares = group.shares.filter((share) => share.name !== name);
    },
    async contribute(contribution) {
      count("contribute");
      const { room: name } = contribution;
      const existing = data.rooms.get(name);
      const room = existing ?? { ...createRoom(), name };
      data.rooms.set(name, room);
      data.incarnations++;
      const { isWhole: isLogWhole } = disk.lastMinute;
      const server = { runId: data.runId, nowMs: now(), nextNumber: data.incarnations, isShared, isLogWhole };
      const remainingMs = contribute(room, offerOf(contribution, stableText), server);
      if (existing === undefined) addEntries(room, disk.lastMinute.entries(name), room.flowMs);
      return { incarnation: room.incarnation, remainingMs };
    },
    tick: operation("tick", tick),
    async join(name, incarnation, places, rows = "") {
      checkJoin(places, rows);
      return reportJoin(await joinRoom(name, incarnation, places, rows));
    },
    async entryBlocks(name, from, places) {
      count("entry-blocks");
      const { edition, queued, blocksDraw, blocksFrom, entryBlocks } = data.rooms.get(name) ?? createRoom();
      const first = Math.max(from, blocksFrom);
      const last = Math.min(from + places - 1, queued);
      const rows = blocksDraw === 0 ? "" : readRows(entryBlocks, first - blocksFrom, last - blocksFrom);
      return { draw: blocksDraw, edition, first, rows, queued };
    },
    voidEntries: operation("void-entries", (room, request: VoidRequest) =>
      reportVoid(voidEntries(room, request), voidOf),
    ),
    restoreEntries: operation("restore-entries", (room, request: RestoreRequest) =>
      reportVoid(restoreEntries(room, request), voidOf),
    ),
    async joinKeys(name, incarnation, request) {
      checkKeyCount(request);
      return reportJoin(await joinWithKeys(name, incarnation, request));
    },
    listKeys: operation("list-keys", listKeys),
    async claim(name, incarnation, claims) {
      checkClaimCount(claims);
      return claimInTurn(name, incarnation, claims);
    },
    leave: operation("leave", leave),
    move: operation("move", move),
    async admissions(name, subs) {
      checkSubCount(subs);
      count("admissions");
      const room = present(name);
      return subs.map((sub) => (room ? reported(room, readRecord(room.admissions, sub)) : null));
    },
    endAdmission: operation("end-admission", (room, sub: string, end: AdmissionEnd) =>
      reported(room, endAdmission(room, sub, end)),
    ),
    renewAdmission: operation("renew-admission", (room, sub: string) => reported(room, renewAdmission(room, sub))),
    recordVisit: operation("record-visit", (room, sub: string) => reported(room, recordVisit(room, sub))),
    takeEndedLogins: operation("take-ended-logins", takeEndedLogins),
    keepPush: operation("keep-push", keepPush),
    dropPush: operation("drop-push", forgetPush),
    takePushes: operation("take-pushes", takePushes),
    takeLogin: operation("take-login", (room, sub: string, login: string) =>
      reported(room, takeLogin(room, sub, login)),
    ),
    async listAdmissions(name, cursor, limit, wanted = {}) {
      count("list-admissions");
      const room = present(name);
      if (room === undefined) return { admissions: [], cursor: null };
      const page = listAdmissions(room, cursor, limit, wanted);
      return { admissions: page.records.map((record) => reportAdmission(record, timesOf(room))), cursor: page.cursor };
    },
    adminStep: operation("admin-step", (room, step: AdminStep, requestId: string | null) =>
      adminStep(room, step, requestId, stableText(step)),
    ),
    repeatedStep: operation("repeated-step", (room, step: AdminStep, requestId: string) =>
      repeatedStep(room, requestId, stableText(step)),
    ),
    reportHealth: operation("report-health", reportHealth),
    reportLoad: operation("report-load", reportLoad),
    commitDraw: operation("commit-draw", commitDraw),
    fixDraw: operation("fix-draw", fixDraw),
    changeSettings: operation(
      "change-settings",
      (room, live: RoomSettingsPatch, effective: RoomSettings, expectedVersion: number) =>
        changeSettings(room, stableText(live), stableText(effective), expectedVersion),
    ),
    async readLog(name, after, limit) {
      count("read-log");
      const { rows, ...page } = readLogTexts(data.rooms.get(name) ?? createRoom(), after, limit);
      return { ...page, rows: rows.map(({ seq, text }) => readLogRow(seq, text)) };
    },
    recordStatistics: operation("record-statistics", recordStatistics),
    async readStatistics(name, tier, firstChunk, chunkCount) {
      count("read-statistics");
      const room = data.rooms.get(name) ?? createRoom();
      const { ring, size } = rings[tier](room);
      const numbers = chunkNumbers(firstChunk, chunkCount);
      return {
        slots: numbers.flatMap((number) => rowsOfChunk(ring.chunks.get(number % size), number)),
        open: room.statistics.slot === 0 ? null : openStatistics(room),
      };
    },
    async moveLogMark(name, mark, from, to) {
      count("move-log-mark");
      const room = data.rooms.get(name);
      return room !== undefined && moveLogMark(room, mark, from, to);
    },
  };
}

const rings = {
  tens: (room: Room) => ({ ring: room.statisticsTens, size: tensChunks }),
  minutes: (room: Room) => ({ ring: room.statisticsMinutes, size: minuteChunks }),
};

function tick(room: RoomData, since: number, eventsAfter?: number): RoomChanges {
  moveRoom(room);
  const changed = changesSince(room, room.changes, since, maxPerTick);
  const moved = changesSince(room, room.moves, since, maxPerTick);
  return {
    state: stateOf(room),
    admissions: changed.members.flatMap((sub) => reported(room, readRecord(room.admissions, sub)) ?? []),
    moves: movedPlaces(room, moved.members),
    cursor: Math.min(changed.cursor, moved.cursor),
    more: changed.more || moved.more,
    events: eventsFor(room, eventsAfter),
  };
}

function stateOf(room: RoomData): RoomState {
  const { adaptive, ...state } = reportState(room);
  return {
    ...state,
    counts: { ...state.counts },
    settings: {
      effective: JSON.parse(room.effective),
      file: JSON.parse(room.file),
      live: JSON.parse(room.liveChanges),
    },
    draws: room.draws.map(({ atFlowMs: _, ...draw }) => ({ ...draw, gaps: [...draw.gaps] })),
    voids: room.voids.map(voidOf),
    ...(adaptive && { adaptive }),
  };
}

function voidOf(stored: EntryVoid): EntryVoid {
  return { ...stored, blocks: [...stored.blocks], numbers: stored.numbers.map(({ from, to }) => ({ from, to })) };
}

function timesOf({ atMs, flowMs, idleEndedMs }: Room) {
  return { nowMs: atMs, flowMs, idleEndedMs };
}

function reported(room: Room, record: AdmissionRecord | null): Admission | null {
  return record && reportAdmission(record, timesOf(room));
}

/**
 * The beginning of every operation on a room: checks the incarnation, moves the clocks, carries out what is due, and then runs
 * `operation`.
 */
function enter<T>(
  data: MemoryData,
  name: string,
  incarnation: SeenIncarnation,
  nowMs: number,
  operation: (room: RoomData) => T,
): Outcome<T> {
  const room = data.rooms.get(name);
  const seen = seenOf(incarnation);
  if (room === undefined || room.runId !== data.runId || room.incarnation !== seen.incarnation)
    return { result: "recover" };
  if (isPutBack(room, seen)) return { result: "recover" };
  advanceClocks(room, nowMs);
  applyTransitions(room);
  if (room.recoveringUntilMs > 0) {
    return { result: "recovering", remainingMs: room.recoveringUntilMs - room.flowMs };
  }
  room.group = groupOf(data, room);
  openGroup(room);
  return { result: "ok", value: operation(room) };
}

/** The shared outflow that the room takes part in, null for none. */
function groupOf(data: MemoryData, room: RoomData): Group | null {
  if (room.sharedId === "") {
    room.logGroup = "";
    return null;
  }
  const existing = data.groups.get(room.sharedId);
  const roomShare = existing?.shares.find(({ name }) => name === room.name) ?? createShare(room.name);
  const { atMs } = room;
  const group = existing ?? {
    atMs,
    flowMs: atMs,
    log: createCountLog(),
    logTotal: 0,
    tatMs: 0,
    shares: [],
    own: roomShare,
  };
  data.groups.set(room.sharedId, group);
  if (!group.shares.includes(roomShare)) group.shares.push(roomShare);
  group.own = roomShare;
  return group;
}

function createShare(name: string): Share {
  return { name, weight: 1, ownLimit: null, counter: 0, askedMs: 0, demandMs: 0 };
}
