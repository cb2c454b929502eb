/** A million pages ask for what moves in the room's status as often as the status says: straight, and through caches. */
import { countAhead, estimateWait, pollPauseMs } from "../../../src/room/public-status/pacing.ts";
import type { RoomStatus } from "../../../src/room/public-status/status.ts";
import { blocksOf } from "../../support/cache-guide.ts";
import { startNginx } from "../../support/nginx.ts";
import { startVarnish } from "../../support/varnish.ts";
import { load } from "../load.ts";
import type { CrowdedRoom } from "./room.ts";
import { counter, measureCores } from "./use.ts";

const path = "/rooms/line/pace";
const durationSec = 15;

/** How often all who wait ask in a second: each page by its own place, as its script reckons. */
export function pollsPerSecond(status: RoomStatus, first: number, last: number): number {
  let sum = 0;
  for (let position = first; position <= last; position++) {
    const ahead = countAhead(position, status);
    sum += 1_000 / pollPauseMs(status.poll, ahead, estimateWait(status.pace, ahead), () => 0.5);
  }
  return sum;
}

export async function pollAsPages(room: CrowdedRoom, count: number) {
  const { gateway, redis, host } = room;
  const status = (await (await fetch(`${gateway.origin}/rooms/line/status`)).json()) as RoomStatus;
  const needed = pollsPerSecond(status, 1, count);

  /** @param cachePid of what listens there, where that is not the gateway */
  async function pollAt(origin: string, cachePid?: number) {
    // As browsers send it; the host is the issuer's, wherever it leads.
    const headers = { Host: host, "Accept-Encoding": "gzip, deflate, br" };
    const drive = (sec: number) => load({ url: origin + path, headers, durationSec: sec, connections: 256 });
    await drive(2);
    const before = await counter(gateway, "usher_status_answers_total");
    const { made, cores } = await measureCores(gateway, redis, cachePid, () => drive(durationSec));
    const reached = (await counter(gateway, "usher_status_answers_total")) - before;
    const cpuUs = (share: number) => (share * cores.sec * 1e6) / made.total;
    return {
      per_second: made.requestsPerSecond,
      share_of_needed: made.requestsPerSecond / needed,
      reached_gateway_per_second: reached / cores.sec,
      failures: made.failures,
      p99_ms: made.p99Ms,
      cores,
      cpu_us_per_poll: { gateway: cpuUs(cores.gateway), cache: cpuUs(cores.cache) },
      /** Of a core, if all who wait asked as often as they do. */
      cores_at_needed: { gateway: (cpuUs(cores.gateway) * needed) / 1e6, cache: (cpuUs(cores.cache) * needed) / 1e6 },
    };
  }

  const straight = await pollAt(`http://127.0.0.1:${gateway.port}`);
  const varnish = await startVarnish(blocksOf("vcl", gateway.port)[0] ?? "");
  const behindVarnish = await pollAt(varnish.origin, varnish.process.pid).finally(() => varnish.stop());
  const [http = "", locations = ""] = blocksOf("nginx", gateway.port);
  const nginx = await startNginx({
    upstreamPorts: [],
    http: http.replaceAll("/var/cache/nginx", "FOLDER"),
    locations,
  });
  const behindNginx = await pollAt(nginx.origin, nginx.process.pid).finally(() => nginx.stop());
  return { needed_per_second: needed, straight, varnish: behindVarnish, nginx: behindNginx };
}
