/** What the embedded store keeps beside the state of rooms: documents, events, the audit, reports of processes, and counts of joins. */

import {
  forgetTurn,
  publishOthers,
  readEventsBefore,
  readEventTexts,
  readLetters,
  removeLetter,
  settleEvent,
  takeEvents,
} from "../../core/events/deliveries.ts";
import { deliveryOf, eventPageOf, installationLine, otherEventRow, readEventRow } from "../../core/ports/reports.ts";
import { createRoom } from "../../core/room.ts";
import { checkDocumentText } from "../../lib/json.ts";
import type { AuditStore, EventStore, SharedDocument, SharedDocuments, WatcherStore } from "../contract/room-store.ts";
import type { CountedAnswer, CountedJoins, JoinCountStore, ProcessStore } from "../contract/shared.ts";
import type { DocumentData, MemoryData } from "./data.ts";

const settlingMs = 2_500;

/**
 * Shared documents over a plain map. A store that is not shared has nobody else to ask, and never settles; for tests
 * in which several processes share the data, it settles as Redis does (`redis/lua/lib/documents.lua`).
 */
export function createMemoryDocuments(
  data: Pick<MemoryData, "documents" | "runId">,
  isShared: boolean,
  now: () => number,
  count: (name: string) => void,
): SharedDocuments {
  function beginSettling(document: DocumentData): void {
    document.runId = data.runId;
    document.settlingUntilMs = isShared ? now() + settlingMs : 0;
  }

  /** How much longer it settles; 0 when it does not. A clock that was set back does not make it longer. */
  function settlingRemainingMs(document: DocumentData): number {
    if (document.settlingUntilMs === 0) return 0;
    if (document.settlingUntilMs - now() > settlingMs) beginSettling(document);
    if (document.settlingUntilMs <= now()) document.settlingUntilMs = 0;
    return Math.max(0, document.settlingUntilMs - now());
  }

  /** The document as it is, or one of version 0, which is not kept unless something becomes of it. */
  function load(name: string): DocumentData {
    const document = data.documents.get(name);
    if (document === undefined) return { version: 0, text: "", runId: data.runId, settlingUntilMs: 0 };
    if (document.runId !== data.runId) beginSettling(document);
    settlingRemainingMs(document);
    return document;
  }

  return {
    async exchange(name, cached) {
      if (cached !== null) checkDocumentText(name, cached.text);
      count("exchange-document");
      const document = load(name);
      if (cached === null || cached.version < document.version)
        return document.version === 0 ? null : reported(document);
      if (cached.version === document.version && cached.text === document.text) return "unchanged";
      data.documents.set(name, document);
      if (settlingRemainingMs(document) === 0) beginSettling(document);
      if (cached.version === document.version && !isGreater(cached.text, document.text)) return reported(document);
      Object.assign(document, { version: cached.version, text: cached.text });
      return "unchanged";
    },
    async replace(name, text, expectedVersion) {
      checkDocumentText(name, text);
      count("replace-document");
      const isTraceless = !data.documents.has(name);
      const document = load(name);
      if (isTraceless && expectedVersion > 0) {
        data.documents.set(name, document);
        beginSettling(document);
      }
      const remainingMs = settlingRemainingMs(document);
      if (remainingMs > 0) return { result: "settling", remainingMs };
      if (document.version !== expectedVersion) return { result: "conflict" };
      data.documents.set(name, document);
      Object.assign(document, { version: expectedVersion + 1, text });
      return { result: "ok", version: document.version };
    },
  };
}

function reported({ version, text }: DocumentData): SharedDocument {
  return { version, text };
}

function isGreater(text: string, other: string): boolean {
  return Buffer.compare(Buffer.from(text), Buffer.from(other)) > 0;
}

/** The events in this process: of the rooms, and of the installation. */
export function createMemoryEvents(
  data: MemoryData,
  now: () => number,
  count: (operation: string) => void,
): EventStore {
  /** A line that is not there has nothing, and keeps nothing. */
  const lineOf = (name: string) =>
    name === installationLine ? data.installation : (data.rooms.get(name) ?? createRoom());

  return {
    installation: installationLine,
    async read(line, after, limit) {
      count("read-events");
      return eventPageOf(readEventTexts(lineOf(line), after, limit));
    },
    async readBefore(line, before, limit) {
      count("read-events-before");
      return readEventsBefore(lineOf(line), before, limit).map(({ seq, text }) => readEventRow(seq, text));
    },
    async publish({ source, events, isCut = false, memory }) {
      count("tell-others");
      const rows = events.map(({ version, atMs, json }) => ({ version, text: otherEventRow(atMs, json) }));
      publishOthers(data.installation, { source, rows, isCut, memory: memory ?? null }, now());
    },
    async take(line, request) {
      count("take-events");
      const nowMs = now();
      return deliveryOf(takeEvents(lineOf(line), request, nowMs), nowMs);
    },
    async settle(line, webhook, holder, settlement) {
      count("settle-event");
      return settleEvent(lineOf(line), webhook, holder, settlement, now());
    },
    async deadLetters(line, after, limit) {
      count("read-letters");
      return readLetters(lineOf(line), after, limit);
    },
    async removeDeadLetter(line, seq) {
      count("remove-letter");
      return removeLetter(lineOf(line), seq);
    },
    async forgetWebhook(line, webhook) {
      count("forget-turn");
      forgetTurn(lineOf(line), webhook);
    },
  };
}

const leavingMax = 1_000;

/** The audit over a plain list. */
export function createMemoryAudit(data: Pick<MemoryData, "audit">, count: (name: string) => void): AuditStore {
  const last = () => {
    const row = data.audit.at(-1);
    return row === undefined ? null : { seq: row.seq, hash: row.hash };
  };

  return {
    async head() {
      count("read-audit");
      return last();
    },
    async append(rows, after, { rowsMax, bytesMax }) {
      count("append-audit");
      const head = last();
      if (head?.seq !== after?.seq || head?.hash !== after?.hash) return false;
      data.audit.push(...rows);
      data.audit.splice(0, Math.min(leavingMax, Math.max(0, data.audit.length - rowsMax)));
      let bytes = 0;
      const full = data.audit.findLastIndex(({ text }) => {
        const isFull = bytes >= bytesMax;
        bytes += Buffer.byteLength(text);
        return isFull;
      });
      data.audit.splice(0, full + 1);
      return true;
    },
    async read({ from, to, limit, isNewestFirst }) {
      count("read-audit");
      const within = data.audit.filter(({ seq }) => seq >= from && seq <= to);
      return isNewestFirst ? within.toReversed().slice(0, limit) : within.slice(0, limit);
    },
  };
}

const retentionMs = 600_000;
const processesMax = 64;

/** What processes tell of themselves: a map. The twin of redis/lua/report-process.lua. */
export function createMemoryProcesses(
  data: Pick<MemoryData, "processes">,
  now: () => number,
  count: (name: string) => void,
): ProcessStore {
  return {
    async report(id, text) {
      count("report-process");
      const nowMs = now();
      data.processes.set(id, { id, reportedMs: nowMs, text });
      const rows = [...data.processes.values()].sort(
        (a, b) => b.reportedMs - a.reportedMs || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0),
      );
      for (const [index, row] of rows.entries()) {
        if (index >= processesMax || Math.abs(nowMs - row.reportedMs) > retentionMs) data.processes.delete(row.id);
      }
      return { nowMs, processes: rows.filter((row) => data.processes.has(row.id)), server: null, findings: [] };
    },
    async remove(id) {
      count("report-process");
      data.processes.delete(id);
    },
  };
}

/** Longer is no lease; what seems to have one is of a clock that was set back. */
const leaseMaxMs = 60_000;

const watchersMax = 64;

/** The twin of redis/lua/exchange-watchers.lua. */
export function createMemoryWatchers(
  { watchers }: Pick<MemoryData, "watchers">,
  now: () => number,
  count: (name: string) => void,
): WatcherStore {
  return {
    async exchange(process, text, leaseMs) {
      count("exchange-watchers");
      for (const [name, { expiresMs }] of watchers) {
        const leftMs = expiresMs - now();
        if (leftMs <= 0 || leftMs > leaseMaxMs) watchers.delete(name);
      }
      const others = [...watchers].filter(([name]) => name !== process).map(([, said]) => said.text);
      if (text === "") watchers.delete(process);
      else {
        watchers.delete(process);
        watchers.set(process, { text, expiresMs: now() + leaseMs });
      }
      for (const name of [...watchers.keys()].slice(0, Math.max(0, watchers.size - watchersMax))) watchers.delete(name);
      return others;
    },
  };
}

const blocksMax = 200_000;
const agoMaxMs = 5_000;
/** Sums of fractions may be off by less than any token. */
const tolerance = 0.001;

/** When each bucket is full again, by its name. */
type Buckets = Map<string, number>;

/** The twin of redis/lua/count-joins.lua. */
export function createMemoryJoinCounts(
  data: Pick<MemoryData, "joinCounts">,
  now: () => number,
  count: (name: string) => void,
): JoinCountStore {
  const ofRoom = (room: string) => {
    const counts = data.joinCounts.get(room) ?? { edition: 0, entries: new Map(), rates: new Map() };
    data.joinCounts.set(room, counts);
    return counts;
  };
  return {
    async takeEntries(room, edition, joins) {
      count("count-joins");
      const counts = ofRoom(room);
      if (edition > counts.edition) {
        counts.entries.clear();
        counts.edition = edition;
      }
      return countJoins(counts.entries, joins, false, now());
    },
    async recordJoins(room, joins) {
      count("count-joins");
      return countJoins(ofRoom(room).rates, joins, true, now());
    },
  };
}

function countJoins(buckets: Buckets, joins: readonly CountedJoins[], mayOwe: boolean, nowMs: number): CountedAnswer[] {
  const levelOf = (name: string, atMs = nowMs) => Math.max(0, (buckets.get(name) ?? 0) - atMs);
  const answers = joins.map(({ count: wanted, agoMs = 0, blocks }) => {
    const beforeMs = Math.min(Math.max(0, agoMs), agoMaxMs);
    let granted = wanted;
    for (const { name, tokenMs, mostMs } of mayOwe ? [] : blocks) {
      const left = Math.max(0, Math.floor((mostMs - levelOf(name)) / tokenMs + tolerance));
      granted = Math.min(granted, left);
    }
    const levelsMs = blocks.map(({ name, tokenMs, mostMs }) => {
      const levelMs = Math.max(0, levelOf(name, nowMs - beforeMs) + granted * tokenMs - beforeMs);
      const boundMs = mayOwe ? Math.min(levelMs, 2 * mostMs) : levelMs;
      if (boundMs > 0) buckets.set(name, nowMs + boundMs);
      else buckets.delete(name);
      return boundMs;
    });
    return { granted, levelsMs };
  });
  for (const [name, fullMs] of buckets) if (fullMs <= nowMs) buckets.delete(name);
  const beyond = buckets.size - blocksMax;
  if (beyond > 0) {
    const least = [...buckets].sort(([a, fullA], [b, fullB]) => fullA - fullB || (a < b ? -1 : 1));
    for (const [name] of least.slice(0, beyond)) buckets.delete(name);
  }
  return answers;
}
