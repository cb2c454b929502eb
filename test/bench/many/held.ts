/** Joins by `/authorize` at the most that the process holds for two minutes; and at 70 % of that, with their latency. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { cpuMs } from "../../support/cpu-time.ts";
import { makeTempDir } from "../../support/temp-dir.ts";
import { fetchRaw } from "../compare.ts";
import { load } from "../load.ts";
import { median } from "../medians.ts";
import { page, query } from "../requests.ts";
import { askPaced } from "./ask-paced.ts";
import { type Answer, requestOf } from "./connection.ts";
import { createPositionsSeen } from "./positions-seen.ts";
import { type CrowdedRoom, openRoom } from "./room.ts";
import { type Cores, counter, measureCores } from "./use.ts";

export interface HeldOptions {
  readonly rounds: number;
  readonly roundSec: number;
  readonly heldSec: number;
  readonly pacedSec: number;
}

const path = `/authorize?${query}`;
const paceShare = 0.7;
/** Of one turn at that pace, in seconds. */
const pacedTurnSec = 5;
/** Of a turn: a gateway that waits longer for a core is delayed by what else runs on the machine. */
const waitedMost = 0.1;

type Turn = Record<"own" | "bare", { readonly perSecond: number; readonly cpuUs: number }>;

const mostOf = (turns: readonly Turn[], of: keyof Turn) => Math.max(...turns.map((turn) => turn[of].perSecond));

export async function measureHeld({ rounds, roundSec, heldSec, pacedSec }: HeldOptions) {
  const room = await openRoom();
  const bare = await startBare();
  const folder = await makeTempDir("positions");
  try {
    const { gateway, redis } = room;
    const url = `${gateway.origin}${path}`;
    const bareUrl = `http://127.0.0.1:${bare.port}/`;
    bare.process.send(await sampleOf(url));
    await once(bare.process, "message");
    await load({ url, headers: page, durationSec: 10 });
    await load({ url: bareUrl, headers: page, durationSec: 2 });
    const measure = async (pid: number, at: string): Promise<Turn["own"]> => {
      const before = cpuMs(pid);
      const { requestsPerSecond, total } = await load({ url: at, headers: page, durationSec: roundSec });
      return { perSecond: requestsPerSecond, cpuUs: ((cpuMs(pid) - before) * 1_000) / total };
    };
    const turns: Turn[] = [];
    for (let turn = 0; turn < rounds; turn++) {
      turns.push({
        own: await measure(gateway.process().pid, url),
        bare: await measure(bare.process.pid ?? 0, bareUrl),
      });
    }

    const file = join(folder.path, "positions");
    const script = [fileURLToPath(new URL("./positions.lua", import.meta.url)), file] as const;
    const joinedBefore = await counter(gateway, "usher_joins_total");
    const most = await measureCores(gateway, redis, undefined, () =>
      load({ url, headers: page, durationSec: heldSec, script }),
    );
    const joined = (await counter(gateway, "usher_joins_total")) - joinedBefore;
    const positions = readPositions(file);

    const perSecond = paceShare * most.made.requestsPerSecond;
    const paced = await askInTurns(room, perSecond, pacedSec);
    const queued = await lastPosition(room);
    const figures = {
      /** Of the rounds the best: what else runs on the cores makes others worse. */
      most_per_second: mostOf(turns, "own"),
      bare_per_second: mostOf(turns, "bare"),
      share_of_bare: {
        by_requests: mostOf(turns, "own") / mostOf(turns, "bare"),
        by_cpu_time: median(turns.map((turn) => turn.bare.cpuUs / turn.own.cpuUs)),
      },
      turns,
      held: { ...most.made, cores: most.cores, joined_by_gateway: joined, positions },
      paced,
      joined: await counter(gateway, "usher_joins_total"),
      last_position: queued,
    };
    return {
      figures,
      goals: {
        "two minutes without a failure": figures.held.failures === 0 && positions.without === 0,
        "positions are unique": positions.repeated === 0 && paced.positions.repeated === 0,
        "positions are in order": paced.positions.out_of_order === 0,
        "as many joins as positions": figures.joined === queued,
        "p99 < 100 ms at 70 %": paced.all.p99_ms < 100,
        "p99 < 100 ms at 70 % where cores are free, without a failure": paced.free.p99_ms < 100 && paced.failures === 0,
      },
    };
  } finally {
    bare.process.kill();
    await folder.remove();
    await room.close();
  }
}

/** Joins at a pace, in turns of some seconds, with the time that each takes from when it is due. */
async function askInTurns({ gateway, redis, host }: CrowdedRoom, perSecond: number, sec: number) {
  const seen = createPositionsSeen();
  const request = requestOf("GET", host, path, page);
  let failures = 0;
  const question = () => {
    const answeredBefore = seen.highest();
    return {
      request,
      take({ status, body }: Answer) {
        if (status !== 200) failures++;
        else seen.note(positionOn(body), answeredBefore);
      },
    };
  };
  const turns: { tookMs: Float64Array; cores: Cores }[] = [];
  for (let turn = 0; turn < sec / pacedTurnSec; turn++) {
    const { made, cores } = await measureCores(gateway, redis, undefined, () =>
      askPaced(gateway.port, perSecond, pacedTurnSec, question),
    );
    turns.push({ tookMs: made, cores });
  }
  const latencies = (of: typeof turns) => {
    const all = Float64Array.from(of.flatMap(({ tookMs }) => [...tookMs])).sort();
    const at = (share: number) => all[Math.floor(all.length * share)] ?? Number.NaN;
    return { turns: of.length, p50_ms: at(0.5), p99_ms: at(0.99), most_ms: all.at(-1) ?? Number.NaN };
  };
  return {
    per_second: perSecond,
    failures,
    positions: seen.figures(),
    all: latencies(turns),
    /** Of the turns in which the gateway had a core when it wanted one. */
    free: latencies(turns.filter(({ cores }) => cores.gatewayWaited < waitedMost)),
    each: turns.map((turn) => ({ p99_ms: latencies([turn]).p99_ms, ...turn.cores })),
  };
}

async function startBare() {
  const process = fork(new URL("../bare-server.ts", import.meta.url), { stdio: "inherit" });
  const [{ port }] = (await once(process, "message")) as [{ port: number }];
  return { process, port };
}

async function sampleOf(url: string) {
  const { status, headers, body } = await fetchRaw({ url, headers: page });
  return { status, headers, body: body.toString("base64") };
}

/** The room's, once its status has caught up with the joins; NaN where it does not. */
async function lastPosition({ gateway }: CrowdedRoom): Promise<number> {
  const joined = await counter(gateway, "usher_joins_total");
  for (let look = 0; look < 50; look++) {
    const { queued } = (await (await fetch(`${gateway.origin}/rooms/line/status`)).json()) as { queued: number };
    if (queued >= joined) return queued;
    await delay(100);
  }
  return Number.NaN;
}

const attribute = Buffer.from('data-position="');

function positionOn(html: Buffer): number {
  const from = html.indexOf(attribute) + attribute.length;
  return Number(html.toString("latin1", from, html.indexOf('"', from)));
}

/** What wrk wrote down. Its answers come in no exact order: `behind_most` is how far one came behind a later position. */
function readPositions(file: string) {
  const seen = createPositionsSeen();
  let without = 0;
  let behindMost = 0;
  for (const line of readFileSync(file, "latin1").trimEnd().split("\n")) {
    const position = Number(line);
    if (position === 0) without++;
    else {
      behindMost = Math.max(behindMost, seen.highest() - position);
      seen.note(position, 0);
    }
  }
  const { count, repeated } = seen.figures();
  return { count, without, repeated, behind_most: behindMost };
}
