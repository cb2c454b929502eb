/** What Redis keeps beside the state of rooms: documents, events, the audit, reports of processes, and counts of joins. */
import { createHash } from "node:crypto";
import type { EventTexts, TakenRows } from "../../core/events/deliveries.ts";
import type { LogText } from "../../core/ports/lists.ts";
import { deliveryOf, eventPageOf, installationLine, otherEventRow, readEventRow } from "../../core/ports/reports.ts";
import { checkDocumentText } from "../../lib/json.ts";
import type { AuditStore, EventStore, SharedDocument, SharedDocuments, WatcherStore } from "../contract/room-store.ts";
import type { CountedJoins, JoinCountStore, ProcessStore } from "../contract/shared.ts";
import type { Keys } from "./keys.ts";
import { type Reply, readList } from "./replies.ts";
import type { Runner } from "./runner.ts";
import { type ScriptSpec, scripts } from "./scripts.ts";
import { readServerFacts, type ServerName, serverFindings } from "./server.ts";
import { type ClusterNode, readNode, type SlotMoves } from "./slot-moves.ts";

/** Shared documents in Redis: one hash each, and each operation a script on it alone, wherever a Cluster keeps it. */
export function createRedisDocuments(runner: Runner, keys: Keys): SharedDocuments {
  /** Of documents that passed the check: every process asks each second, and what it remembers is seldom another one. */
  const digests = new WeakMap<SharedDocument, string>();

  function digestOfCached(name: string, cached: SharedDocument): string {
    const memoised = digests.get(cached);
    if (memoised !== undefined) return memoised;
    checkDocumentText(name, cached.text);
    const digest = digestOf(cached.text);
    digests.set(cached, digest);
    return digest;
  }

  /** What the caller remembers is named by its digest; the text itself is sent when the store asks for it. */
  function exchange(name: string, cached: SharedDocument | null, isTextSent: boolean) {
    return runner.run(
      scripts.exchangeDocument,
      { document: keys.document(name) },
      {
        offered_version: cached?.version ?? 0,
        offered_digest: cached === null ? "" : digestOfCached(name, cached),
        has_text: isTextSent ? "1" : "0",
        offered_text: cached !== null && isTextSent ? cached.text : "",
      },
    );
  }

  return {
    async exchange(name, cached) {
      let answer = await exchange(name, cached, false);
      if (answer === "send") answer = await exchange(name, cached, true);
      if (answer === "send") throw new TypeError("a script asked for a text that it was given");
      return answer;
    },
    async replace(name, text, expectedVersion) {
      checkDocumentText(name, text);
      return runner.run(
        scripts.replaceDocument,
        { document: keys.document(name) },
        { expected_version: expectedVersion, text, digest: digestOf(text) },
      );
    },
  };
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

/** A function of core/events/deliveries.ts on the collections of one line; nothing of a state is read. */
function script<A>(name: string, call: string, before = ""): ScriptSpec<A> {
  const lua = `local request = cjson.decode(arg.request)\n${before}\nreturn { cjson.encode(${call}) }`;
  return { name, lua, read: (reply: Reply) => JSON.parse(reply.text(0)) as A };
}

const eventScripts = {
  read: script<EventTexts>("read-events", "read_event_texts(request.after, request.limit)"),
  publish: script<boolean>("publish-others", "publish_others(request, server_now_ms()) or true"),
  readBefore: script<LogText[]>("read-events-before", "read_events_before(request.before, request.limit)"),
  take: script<TakenRows & { nowMs: number }>(
    "take-events",
    "taken",
    "local now_ms = server_now_ms() local taken = take_events(request, now_ms) taken.nowMs = now_ms",
  ),
  settle: script<boolean>(
    "settle-event",
    "settle_event(request.webhook, request.holder, request.settlement, server_now_ms())",
  ),
  letters: script<LogText[]>("read-letters", "read_letters(request.after, request.limit)"),
  removeLetter: script<boolean>("remove-letter", "remove_letter(request.seq)"),
  forgetTurn: script<boolean>("forget-turn", "forget_turn(request.webhook) or true"),
};

/** The events in Redis: streams, and a hash with the cursor and lease of each webhook. */
export function createRedisEvents(runner: Runner, keys: Keys): EventStore {
  const run = <A>(spec: ScriptSpec<A>, line: string, request: object) =>
    runner.run(spec, keys.room(line), { request: JSON.stringify(request, (_name, value) => value ?? undefined) });

  return {
    installation: installationLine,
    async read(line, after, limit) {
      const page = await run(eventScripts.read, line, { after, limit });
      return eventPageOf({ last: page.last, rows: readList(page.rows) });
    },
    async readBefore(line, before, limit) {
      const rows = readList(await run(eventScripts.readBefore, line, { before, limit }));
      return rows.map(({ seq, text }) => readEventRow(seq, text));
    },
    async publish({ source, events, isCut = false, memory }) {
      const rows = events.map(({ version, atMs, json }) => ({ version, text: otherEventRow(atMs, json) }));
      await run(eventScripts.publish, installationLine, { source, rows, isCut, memory });
    },
    async take(line, request) {
      const taken = await run(eventScripts.take, line, request);
      return deliveryOf({ ...taken, rows: readList(taken.rows) }, taken.nowMs);
    },
    settle: (line, webhook, holder, settlement) => run(eventScripts.settle, line, { webhook, holder, settlement }),
    async deadLetters(line, after, limit) {
      return readList(await run(eventScripts.letters, line, { after, limit }));
    },
    removeDeadLetter: (line, seq) => run(eventScripts.removeLetter, line, { seq }),
    async forgetWebhook(line, webhook) {
      await run(eventScripts.forgetTurn, line, { webhook });
    },
  };
}

/** The audit in Redis: one stream, whose entries have the numbers of their rows. So no part of it can be lost without the rest. */
export function createRedisAudit(runner: Runner, keys: Keys): AuditStore {
  const stream = { audit: keys.audit };
  const read = (from: string, to: string, limit: number, isNewestFirst: boolean) =>
    runner.run(scripts.readAudit, stream, { from, to, limit, newest_first: isNewestFirst ? "1" : "0" });

  return {
    async head() {
      const [row] = await read("0", "+", 1, true);
      return row === undefined ? null : { seq: row.seq, hash: row.hash };
    },
    append: (rows, after, { rowsMax, bytesMax }) =>
      runner.run(scripts.appendAudit, stream, {
        after: after === null ? "" : `${after.seq}:${after.hash}`,
        rows: JSON.stringify(
          rows.map(({ seq, hash, text, before }) => [seq, hash, text, before.seq, before.hash].map(String)),
        ),
        rows_max: rowsMax,
        bytes_max: bytesMax,
      }),
    read: ({ from, to, limit, isNewestFirst }) => read(String(from), String(to), limit, isNewestFirst),
  };
}

const retentionMs = 600_000;
const processesMax = 64;

/**
 * What processes tell of themselves, in Redis: one hash.
 *
 * @param moves of the slots of a Cluster; null where there is none
 */
export function createRedisProcesses(
  runner: Runner,
  keys: Keys,
  server: ServerName,
  moves: SlotMoves | null,
): ProcessStore {
  /** The run that answered last, and when it was asked. */
  let last: { readonly runId: string; readonly sentMs: number } | null = null;

  const report = (id: string, text: string) =>
    runner.run(
      scripts.reportProcess,
      { processes: keys.processes },
      { id, text, kept_ms: retentionMs, most: processesMax },
    );

  async function isMovedTo(here: ClusterNode): Promise<boolean> {
    if (last === null || last.runId === here.runId || moves === null) return false;
    return moves.isRecordMoved(keys.processes, last.runId, here, performance.now() - last.sentMs);
  }

  return {
    async report(id, text) {
      const sentMs = performance.now();
      const { info, ...reply } = await report(id, text);
      const here = readNode(info);
      const isMoved = await isMovedTo(here);
      last = { runId: here.runId, sentMs };
      return {
        ...reply,
        server: readServerFacts(info, server.arrangement),
        findings: serverFindings(info, server),
        isMoved,
      };
    },
    async remove(id) {
      await report(id, "");
    },
  };
}

export function createRedisWatchers(runner: Runner, keys: Keys): WatcherStore {
  return {
    exchange: (process, text, leaseMs) =>
      runner.run(scripts.exchangeWatchers, { watchers: keys.watchers }, { process, text, lease_ms: leaseMs }),
  };
}

export function createRedisJoinCounts(runner: Runner, keys: Keys): JoinCountStore {
  const run = (room: string, joins: readonly CountedJoins[], edition: string, mayOwe: boolean) =>
    runner.run(scripts.countJoins, keys.room(room), { edition, may_owe: mayOwe ? "1" : "", joins: jsonOf(joins) });
  return {
    takeEntries: (room, edition, joins) => run(room, joins, String(edition), false),
    recordJoins: (room, joins) => run(room, joins, "", true),
  };
}

function jsonOf(joins: readonly CountedJoins[]): string {
  return JSON.stringify(
    joins.map(({ count, agoMs = 0, blocks }) => {
      return [count, blocks.map(({ name, tokenMs, mostMs }) => [name, tokenMs, mostMs]), agoMs];
    }),
  );
}
