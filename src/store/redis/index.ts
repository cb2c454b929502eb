/**
 * The store in Redis or Valkey, shared by any number of processes. Each operation is one script of scripts.ts: a function of `../../core`,
 * compiled to `lua/generated`, in the frame of `lua/lib/enter.lua`. Keys are in keys.ts; time is Redis's own. Called by app.ts, which picks
 * a store.
 */
import { setTimeout as delay } from "node:timers/promises";
import { Cluster } from "ioredis";
import type { Random } from "../../lib/clock-and-random.ts";
import { type Clock, systemClock } from "../../lib/clock-and-random.ts";
import { SetupError, StoreUnavailableError } from "../../lib/errors.ts";
import type { Logger } from "../../lib/logger.ts";
import { parseRedisUrl } from "../../lib/redis-url.ts";
import { createStoreClock } from "../../lib/store-clock.ts";
import type { RoomStore } from "../contract/room-store.ts";
import type { Installation, Store } from "../contract/store.ts";
import { createBreaker } from "./availability.ts";
import { connect, createClient } from "./client.ts";
import { checkServer, createStrangers, messageOf } from "./inspect.ts";
import { createKeys } from "./keys.ts";
import { createRedisOidcAdapter } from "./oidc-adapter.ts";
import { type CachedName, createOwnership } from "./ownership.ts";
import { createRedisRooms } from "./rooms.ts";
import { createRunner, type Runner } from "./runner.ts";
import { scripts } from "./scripts.ts";
import { nameServer } from "./server.ts";
import {
  createRedisAudit,
  createRedisDocuments,
  createRedisEvents,
  createRedisJoinCounts,
  createRedisProcesses,
  createRedisWatchers,
} from "./shared.ts";
import { createSlotMoves } from "./slot-moves.ts";
import { createUsedFile, createUsedRecords, type UsedFileOptions } from "./used-records.ts";

export { inspectRedis } from "./inspect.ts";

/** For tests alone, so that they can move time. */
export interface StoreTesting {
  /** Lua that defines `server_now_ms` in place of lua/lib/clock.lua. */
  readonly clockLua: string;
  /** Given to every script behind its own arguments, for that Lua to read. */
  readonly lastArgument?: () => number;
}

export interface RedisStoreOptions {
  /** See lib/redis-url.ts for its forms. */
  readonly url: string;
  readonly random: Random;
  readonly logger: Logger;
  /** This process's own; default: the system's. */
  readonly clock?: Clock;
  /** After this a command counts as lost. Default 2,000. */
  readonly commandTimeoutMs?: number;
  /** Begins every key, and ends with a colon. Default `usher:`. */
  readonly keyPrefix?: string;
  /** Where this process keeps what was used once; absent: nowhere. */
  readonly beside?: Pick<UsedFileOptions, "directory" | "processName" | "storeName">;
  readonly testing?: StoreTesting;
}

export function createRedisStore(options: RedisStoreOptions): Store {
  const {
    url,
    random,
    logger,
    clock: localClock = systemClock,
    commandTimeoutMs = 2_000,
    keyPrefix = "usher:",
    beside,
    testing,
  } = options;
  const clock = createStoreClock(localClock);
  const client = createClient({ url, random, logger, commandTimeoutMs });
  const breaker = createBreaker({
    probe: () =>
      Promise.race([
        runner.probe(scripts.checkServer, { fingerprints: keys.fingerprints }),
        // Should the client ever keep neither its timeout nor its connection, the breaker must not stay open for that.
        delay(commandTimeoutMs + 1_000, "silent" as const, { ref: false }),
      ]),
    random,
    report(what) {
      if (what === "opened") {
        logger.warn(
          { event: "store.breaker_opened" },
          "Redis is silent; it is asked nothing but whether it answers again",
        );
      } else logger.warn({ event: "store.breaker_closed" }, "Redis answers again, and is asked everything");
    },
  });
  const keys = createKeys(keyPrefix);
  const server = nameServer(url);
  const ownership = createOwnership({
    ask: (installation, cached, mayName) => askName(installation, cached, mayName, false),
    announce: (stranger) => strangers.announce(stranger),
    server,
    logger,
  });
  client.on("ready", breaker.reconnected).on("ready", ownership.reconnected);
  const runner: Runner = createRunner(
    client,
    breaker,
    ownership,
    testing && { replaced: { "lib/clock": testing.clockLua }, ...testing },
  );
  const slotMoves = client instanceof Cluster ? createSlotMoves(client, runner) : null;
  const strangers = createStrangers(runner, keyPrefix, parseRedisUrl(url).connection.db ?? 0);
  const roomsHere = createRedisRooms(runner, keys, slotMoves);
  const nowMs = () => testing?.lastArgument?.() ?? clock.now();
  const file = !beside
    ? null
    : createUsedFile({
        ...beside,
        nowMs,
        onFailure: (error) =>
          logger.warn({ event: "store.warning", err: error }, "what was used once cannot be written to disk"),
      });
  const used = createUsedRecords({
    rooms: roomsHere,
    file,
    markUsed: (record, how) => runner.run(scripts.markUsed, { record: keys.oidcRecord(record) }, { how }),
    nowMs,
    isCutOff: () => breaker.state !== "closed",
  });
  const ofRecords = { runner, keys, used, moves: slotMoves, nowMs };

  return {
    rooms: syncingClock(used.rooms),
    documents: createRedisDocuments(runner, keys),
    events: createRedisEvents(runner, keys),
    audit: createRedisAudit(runner, keys),
    processes: createRedisProcesses(runner, keys, server, slotMoves),
    watchers: createRedisWatchers(runner, keys),
    joinCounts: createRedisJoinCounts(runner, keys),
    oidcAdapter: (model) => createRedisOidcAdapter(ofRecords, model),
    isShared: true,
    clock,
    commandCounts: runner.counts,
    onRoundTrip: runner.onRoundTrip,
    breaker,
    async start() {
      const failure = await connect(client, server);
      await slotMoves?.start();
      if (failure !== null) return { warnings: [notYet(failure)] };
      try {
        return { warnings: await check() };
      } catch (error) {
        if (!(error instanceof StoreUnavailableError)) throw error;
        return { warnings: [notYet(messageOf(error.cause))] };
      }
    },
    async unfit() {
      try {
        await check();
        return null;
      } catch (error) {
        if (error instanceof SetupError) return error.message;
        throw error;
      }
    },
    agreeOnKeys: (fingerprints, replace) =>
      runner.run(
        scripts.agreeOnKeys,
        { fingerprints: keys.fingerprints },
        { offered: JSON.stringify(fingerprints), replace: replace ? "1" : "0" },
      ),
    useFor: ownership.useFor,
    async takeOver(installation) {
      const { installation: before } = await askName(installation, null, true, true);
      return before.ticketKeys.length === 0 ? null : before;
    },
    strangers: strangers.list,
    async close() {
      ownership.stop();
      file?.close();
      await slotMoves?.stop();
      breaker.stop();
      client.disconnect();
    },
  };

  function askName(
    { issuers, ticketKeys }: Installation,
    cached: CachedName | null,
    mayName: boolean,
    takesOver: boolean,
  ) {
    return runner.run(
      scripts.nameInstallation,
      { installation: keys.installation, fingerprints: keys.fingerprints },
      {
        issuers: JSON.stringify(issuers),
        ticket_keys: JSON.stringify(ticketKeys),
        since_ms: cached?.sinceMs ?? 0,
        taken: cached?.taken ?? -1,
        seen_ms: cached?.seenMs ?? 0,
        may_name: mayName ? "1" : "0",
        takes_over: takesOver ? "1" : "0",
      },
    );
  }

  async function check(): Promise<string[]> {
    const sentMs = localClock.now();
    const { warnings, nowMs } = await checkServer(runner, keys, server);
    clock.sync(nowMs, sentMs, localClock.now());
    return warnings;
  }

  /** Each tick answers the store's time. */
  function syncingClock(rooms: RoomStore): RoomStore {
    return {
      ...rooms,
      async tick(room, incarnation, since, eventsAfter) {
        const sentMs = localClock.now();
        const outcome = await rooms.tick(room, incarnation, since, eventsAfter);
        if (outcome.result === "ok") clock.sync(outcome.value.state.nowMs, sentMs, localClock.now());
        return outcome;
      },
    };
  }

  function notYet(reason: string): string {
    return `${server.name} does not answer yet (${reason}); Usher goes on trying: is it up, and does ${server.cli} PING reach it?`;
  }
}
