/**
 * Tells a planned move of a Cluster's slot from a loss. A room's state names the run of the server that wrote it; when another one answers, that is a
 * move only where all of this holds, and else the room recovers:
 *
 * - the run that the state names is still a master, and itself answers that the slot is elsewhere (`MOVED`, or `ASK`);
 * - the state is at least what processes remember: each operation brings what its process has seen (lua/lib/enter.lua);
 * - the node that answers was a master already when this process last had an answer for the room. So it was given the slot as a master, key by key, and
 *   cannot be a replica that was promoted and lacks the last writes.
 */
import type { Cluster, Redis } from "ioredis";
import { StoreUnavailableError } from "../../lib/errors.ts";
import { repeat } from "../../lib/repeat.ts";
import type { Runner } from "./runner.ts";

/** What a node says of itself in INFO. */
export interface ClusterNode {
  readonly runId: string;
  readonly isMaster: boolean;
  /** The id of its data: another one from when it was promoted. */
  readonly replication: string;
  /** It was a replica before, in this run; or has begun with another node's data. */
  readonly hasBeenReplica: boolean;
  readonly upMs: number;
}

export type SlotMoves = ReturnType<typeof createSlotMoves>;

const lookEveryMs = 2_000;
/** A node forgets that it was a replica once it has had none itself for `repl-backlog-ttl`, an hour. */
const trustedMs = 600_000;
/** Uptime is in whole seconds. */
const uptimeMarginMs = 2_000;
const mastersMax = 1_000;
/** What the clocks of two nodes may differ by. */
const clockMarginMs = 1_000;

export function createSlotMoves(
  client: Pick<Cluster, "nodes">,
  runner: Pick<Runner, "command">,
  stopwatch = () => performance.now(),
) {
  /** When each was first seen as a master, by run and data. */
  const masters = new Map<string, number>();
  /** When the last operation that was answered was sent, by room. */
  const answered = new Map<string, number>();
  const underWay = new Map<string, Promise<boolean>>();
  let stop: (() => Promise<void>) | undefined;

  async function look(): Promise<{ readonly node: Redis; readonly info: ClusterNode }[]> {
    const found = await Promise.all(
      client.nodes("master").map(async (node) => {
        try {
          const sections = await runner.command("look-at-node", () =>
            Promise.all([node.info("server"), node.info("replication")]),
          );
          return [{ node, info: readNode(sections.join("")) }];
        } catch (error) {
          if (error instanceof StoreUnavailableError) return [];
          throw error;
        }
      }),
    );
    const nodes = found.flat().filter(({ info }) => info.isMaster);
    for (const { info } of nodes) if (!masters.has(nameOf(info))) masters.set(nameOf(info), stopwatch());
    for (const name of masters.keys()) {
      if (masters.size <= mastersMax) break;
      masters.delete(name);
    }
    return nodes;
  }

  function hasBeenMaster(to: ClusterNode, sinceMs: number): boolean {
    const seenMs = masters.get(nameOf(to));
    if (seenMs !== undefined && seenMs <= sinceMs) return true;
    // One without slots is not looked at: a new one, whose first slot this is.
    const agoMs = stopwatch() - sinceMs;
    return !to.hasBeenReplica && agoMs < trustedMs && to.upMs > agoMs + uptimeMarginMs;
  }

  async function findOut(room: string, key: string, from: string, to: ClusterNode): Promise<boolean> {
    const sinceMs = answered.get(room);
    if (sinceMs === undefined || !to.isMaster || !hasBeenMaster(to, sinceMs)) return false;
    const before = (await look()).find(({ info }) => info.runId === from);
    return before !== undefined && isAbsentOn(before.node, key);
  }

  async function isAbsentOn(node: Redis, key: string): Promise<boolean> {
    try {
      await runner.command("look-for-slot", () => node.exists(key));
      return false;
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      return error.cause instanceof Error && /^(MOVED|ASK) /.test(error.cause.message);
    }
  }

  return {
    /** The room's store has carried out an operation that was sent at that time. */
    recordAnswer(room: string, sentMs: number): void {
      answered.set(room, sentMs);
    },
    forget(room: string): void {
      answered.delete(room);
    },
    /** Whether the room's state came by a planned move from one run to the node that answers. Operations that ask together learn together. */
    isPlanned(room: string, key: string, from: string, to: ClusterNode): Promise<boolean> {
      const same = underWay.get(room);
      if (same !== undefined) return same;
      const answer = findOut(room, key, from, to).finally(() => underWay.delete(room));
      underWay.set(room, answer);
      return answer;
    },
    /** The same of a record, which no room is about: the node has been a master since before it was made, so long ago. */
    async isRecordMoved(key: string, from: string, to: ClusterNode, ageMs: number): Promise<boolean> {
      if (!to.isMaster || !hasBeenMaster(to, stopwatch() - ageMs - clockMarginMs)) return false;
      const before = (await look()).find(({ info }) => info.runId === from);
      return before !== undefined && isAbsentOn(before.node, key);
    },
    /** Has looked once, if it could, when it resolves: a node that is asked for the first time refuses commands until it is connected. */
    async start(): Promise<void> {
      const lookAgain = () => look().then(pause, pause);
      stop ??= repeat(lookEveryMs, lookAgain);
      await lookAgain();
    },
    async stop(): Promise<void> {
      await stop?.();
    },
  };
}

const pause = () => lookEveryMs;

function nameOf({ runId, replication }: ClusterNode): string {
  return `${runId} ${replication}`;
}

/** @param info the sections `server` and `replication` */
export function readNode(info: string): ClusterNode {
  const text = (name: string) => new RegExp(`^${name}:([^\\r\\n]*)`, "m").exec(info)?.[1] ?? "";
  return {
    runId: text("run_id"),
    isMaster: text("role") === "master",
    replication: text("master_replid"),
    hasBeenReplica: !/^0+$/.test(text("master_replid2")),
    upMs: Number(text("uptime_in_seconds")) * 1_000,
  };
}
