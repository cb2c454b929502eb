/** Joins by `/authorize` at the most that the process does, held for two minutes; and at 70 % of it, with their latency. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { cpuMs } from "../../support/cpu-time.ts";
import { makeTempDir } from "../../support/temp-dir.ts";
import { fetchRaw } from "../compare.ts";
import { median } from "../medians.ts";
import { page, query } from "../requests.ts";
import { askPaced } from "./ask-paced.ts";
import { requestOf } from "./connection.ts";
import { createPositionsSeen } from "./positions-seen.ts";
import { type CrowdedRoom, openRoom } from "./room.ts";
import { counter, measureCores } from "./use.ts";
import { wrk } from "./wrk.ts";

export interface HeldOptions {
  readonly rounds: number;
  readonly roundSec: number;
  readonly heldSec: number;
  readonly pacedSec: number;
}

const path = `/authorize?${query}`;
const paceShare = 0.7;

export async function measureHeld({ rounds, roundSec, heldSec, pacedSec }: HeldOptions) {
  const room = await openRoom();
  const bare = await startBare();
  const folder = await makeTempDir("positions");
  try {
    const { gateway, redis, host } = room;
    const url = `${gateway.origin}${path}`;
    const bareUrl = `http://127.0.0.1:${bare.port}/`;
    bare.process.send(await sampleOf(url));
    await once(bare.process, "message");
    await wrk({ url, headers: page, durationSec: 10 });
    await wrk({ url: bareUrl, headers: page, durationSec: 2 });
    const measure = async (pid: number, at: string) => {
      const before = cpuMs(pid);
      const { requestsPerSecond, total } = await wrk({ url: at, headers: page, durationSec: roundSec });
      return { perSecond: requestsPerSecond, cpuUs: ((cpuMs(pid) - before) * 1_000) / total };
    };
    const turns: Record<"own" | "bare", Awaited<ReturnType<typeof measure>>>[] = [];
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
      wrk({ url, headers: page, durationSec: heldSec, script }),
    );
    const joined = (await counter(gateway, "usher_joins_total")) - joinedBefore;
    const positions = readPositions(file);

    const seen = createPositionsSeen();
    const request = requestOf("GET", host, path, page);
    let failures = 0;
    const perSecond = paceShare * most.made.requestsPerSecond;
    const paced = await measureCores(gateway, redis, undefined, () =>
      askPaced(gateway.port, perSecond, pacedSec, () => {
        const answeredBefore = seen.highest();
        return {
          request,
          take({ status, body }) {
            if (status !== 200) failures++;
            else seen.note(positionOn(body), answeredBefore);
          },
        };
      }),
    );
    const at = (share: number) => paced.made[Math.floor(paced.made.length * share)] ?? Number.NaN;
    const queued = await lastPosition(room);
    const figures = {
      most_per_second: median(turns.map(({ own }) => own.perSecond)),
      bare_per_second: median(turns.map((turn) => turn.bare.perSecond)),
      /** What others on the same cores take counts in the first, not in the second. */
      share_of_bare: {
        by_requests: median(turns.map((turn) => turn.own.perSecond / turn.bare.perSecond)),
        by_cpu_time: median(turns.map((turn) => turn.bare.cpuUs / turn.own.cpuUs)),
      },
      turns,
      held: { ...most.made, cores: most.cores, joined_by_gateway: joined, positions },
      paced: {
        per_second: perSecond,
        failures,
        p50_ms: at(0.5),
        p99_ms: at(0.99),
        most_ms: at(1 - 1e-9),
        cores: paced.cores,
        positions: seen.figures(),
      },
      joined: await counter(gateway, "usher_joins_total"),
      last_position: queued,
    };
    return {
      figures,
      goals: {
        "two minutes without a failure": figures.held.failures === 0 && positions.without === 0,
        "positions are unique": positions.repeated === 0 && seen.figures().repeated === 0,
        "positions are in order": seen.figures().out_of_order === 0,
        "as many joins as positions": figures.joined === queued,
        "p99 < 100 ms at 70 %, without a failure": figures.paced.p99_ms < 100 && failures === 0,
      },
    };
  } finally {
    bare.process.kill();
    await folder.remove();
    await room.close();
  }
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
