/**
 * The embedded store: everything in this process, nothing to install, nothing kept when it ends. It runs the rules
 * of `../../core` on plain data; Redis runs the Lua that is compiled from them, and both pass the suite of test/contract. What is
 * not in the core yet has a twin in `../redis/lua`. Called by app.ts, which picks a store.
 */
import { currentRecord, endRecord, extendRecord, takeLogin } from "../../core/admissions/admissions.ts";
import { takeEndedLogins } from "../../core/admissions/ended-logins.ts";
import { commitDraw, fixDraw } from "../../core/draw/draws.ts";
import { lacksCommitment } from "../../core/draw/marks.ts";
import { reportHealth } from "../../core/health.ts";
import { isForgotten } from "../../core/holds.ts";
import { refill } from "../../core/inlet.ts";
import { join } from "../../core/join.ts";
import { leave } from "../../core/leave.ts";
import { move } from "../../core/move.ts";
import { readRecord } from "../../core/ports/records.ts";
import { changeSettings } from "../../core/settings.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Random } from "../../lib/random.ts";
import { stableText } from "../../lib/stable-text.ts";
import { unskewed } from "../../lib/store-clock.ts";
import type { RoomStore, Store } from "../contract/room-store.ts";
import { adminStep } from "./admin-step.ts";
import { moveLogMark, readLog } from "./admission-log.ts";
import { toAdmission } from "./admissions.ts";
import { claim } from "./claim.ts";
import { contribute } from "./contribute.ts";
import { createMemoryData, type MemoryData } from "./data.ts";
import { createMemoryDocuments } from "./documents.ts";
import { enter } from "./enter.ts";
import { listAdmissions } from "./list-admissions.ts";
import { reportLoad } from "./load.ts";
import { createOidcAdapter } from "./oidc-adapter.ts";
import { drawIdOf, numberOf } from "./places.ts";
import { tick } from "./tick.ts";
import { clocksAt } from "./wall-times.ts";

const maxJoin = 10_000;

export interface MemoryStoreOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Where the store keeps everything; for tests, which share it, wipe it and put it back. */
  readonly data?: MemoryData;
  /** For tests, in which several processes share `data`: a new room waits for what others remember. Default false. */
  readonly isShared?: boolean;
}

export function createMemoryStore(options: MemoryStoreOptions): Store {
  const { clock, random, data = createMemoryData(random.bytes(20).toString("hex")), isShared = false } = options;
  const commandCounts = new Map<string, number>();
  const now = () => Math.floor(clock.now());
  const count = (name: string) => commandCounts.set(name, (commandCounts.get(name) ?? 0) + 1);

  return {
    rooms: createRooms(data, isShared, now, count),
    documents: createMemoryDocuments(data, isShared, now, count),
    oidcAdapter: (model) => createOidcAdapter(data, model, now),
    isShared,
    clock: unskewed(clock),
    commandCounts,
    start: async () => ({ warnings: [] }),
    unfit: async () => null,
    close: async () => {},
    async agreeOnKeys(fingerprints, replace) {
      if (data.keys === null || replace) data.keys = { ...fingerprints };
      return { ...data.keys };
    },
  };
}

function createRooms(data: MemoryData, isShared: boolean, now: () => number, count: (name: string) => void): RoomStore {
  return {
    async forget(name) {
      count("forget");
      data.rooms.delete(name);
      for (const group of data.groups.values()) group.shares = group.shares.filter((share) => share.name !== name);
    },
    async contribute(contribution) {
      count("contribute");
      return contribute(data, contribution, now(), isShared);
    },
    async tick(name, incarnation, since) {
      count("tick");
      return enter(data, name, incarnation, now(), (room, group) => tick(room, group, since));
    },
    async join(name, incarnation, places) {
      if (!Number.isInteger(places) || places < 1 || places > maxJoin) {
        throw new RangeError(`cannot join ${places} at once`);
      }
      count("join");
      const outcome = enter(data, name, incarnation, now(), (room, group) =>
        isForgotten(room) || lacksCommitment(room) ? null : join(room, group, places),
      );
      if (outcome.result !== "ok") return outcome;
      const { value } = outcome;
      return value === null ? { result: "recovering", remainingMs: 2_000 } : { result: "ok", value };
    },
    async claim(name, incarnation, request) {
      count("claim");
      return enter(data, name, incarnation, now(), (room, group) => claim(room, group, request));
    },
    async leave(name, incarnation, request) {
      count("leave");
      return enter(data, name, incarnation, now(), (room) => {
        const { sub, edition, position } = request;
        leave(room, sub, edition, position, numberOf(request), drawIdOf(request));
      });
    },
    async move(name, incarnation, request) {
      count("move");
      return enter(data, name, incarnation, now(), (room) => {
        const number = numberOf(request);
        const movedMs = move(room, { ...request, number, drawId: drawIdOf(request) });
        return movedMs === null ? null : { number, sub: request.to, movedMs };
      });
    },
    async admission(name, sub) {
      count("admission");
      const room = data.rooms.get(name);
      const record = room && readRecord(room.admissions, sub);
      return room && record ? toAdmission(room, record, clocksAt(room, now())) : null;
    },
    async endAdmission(name, incarnation, sub, end) {
      count("end-admission");
      return enter(data, name, incarnation, now(), (room, group) => {
        const record = currentRecord(room, sub);
        if (record?.ended === null) endRecord(room, record, end);
        refill(room, group);
        return record && toAdmission(room, record);
      });
    },
    async renewAdmission(name, incarnation, sub) {
      count("renew-admission");
      return enter(data, name, incarnation, now(), (room) => {
        const record = currentRecord(room, sub);
        if (record?.ended === null) extendRecord(room, record);
        return record && toAdmission(room, record);
      });
    },
    async takeEndedLogins(name, incarnation, told, limit) {
      count("take-ended-logins");
      return enter(data, name, incarnation, now(), (room) => takeEndedLogins(room, told, limit));
    },
    async takeLogin(name, incarnation, sub, login) {
      count("take-login");
      return enter(data, name, incarnation, now(), (room) => {
        const record = takeLogin(room, sub, login);
        return record && toAdmission(room, record);
      });
    },
    async listAdmissions(name, cursor, limit, wanted = {}) {
      count("list-admissions");
      const room = data.rooms.get(name);
      if (room === undefined) return { admissions: [], cursor: null };
      const page = listAdmissions(room, cursor, limit, wanted, clocksAt(room, now()));
      return { admissions: page.admissions, cursor: page.more ? page.cursor : null };
    },
    async adminStep(name, incarnation, step, requestId) {
      count("admin-step");
      return enter(data, name, incarnation, now(), (room, group) => adminStep(room, group, step, requestId));
    },
    async reportHealth(name, incarnation, isHealthy) {
      count("report-health");
      return enter(data, name, incarnation, now(), (room) => reportHealth(room, isHealthy));
    },
    async reportLoad(name, incarnation, report) {
      count("report-load");
      return enter(data, name, incarnation, now(), (room) => reportLoad(room, report));
    },
    async commitDraw(name, incarnation, commitment) {
      count("commit-draw");
      return enter(data, name, incarnation, now(), (room) =>
        commitDraw(room, commitment.edition, commitment.id, commitment.keyId, commitment.commitment, commitment.chain),
      );
    },
    async fixDraw(name, incarnation, outcome) {
      count("fix-draw");
      return enter(data, name, incarnation, now(), (room) =>
        fixDraw(room, outcome.edition, outcome.id, outcome.seed, outcome.beacon),
      );
    },
    async changeSettings(name, incarnation, live, effective, expectedVersion) {
      count("change-settings");
      return enter(data, name, incarnation, now(), (room) => {
        if (room.version !== expectedVersion) return null;
        changeSettings(room, stableText(live), stableText(effective));
        return { version: room.version };
      });
    },
    async readLog(name, after, limit) {
      count("read-log");
      return readLog(data.rooms.get(name), after, limit);
    },
    async moveLogMark(name, mark, from, to) {
      count("move-log-mark");
      const room = data.rooms.get(name);
      return room !== undefined && moveLogMark(room, mark, from, to);
    },
  };
}
