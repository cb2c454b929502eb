import { writePaceAnswer } from "../../src/room/public-status/pace.ts";
import type { RoomStatus } from "../../src/room/public-status/status.ts";
import { startGateway } from "../support/gateway.ts";
import { startNginx } from "../support/nginx.ts";
import { type Asked, fetchRaw, type Rounds, startComparing } from "./compare.ts";
import { openHttp1, openHttp2, weighAnswer, weighReopened } from "./over-tls.ts";
import { gzip, query, redirectUri } from "./requests.ts";

export type Scales = Awaited<ReturnType<typeof startScales>>;

/** Weighs answers as browsers have them from a gateway behind a proxy: by HTTP/2 over TLS, on a connection that is open. */
export async function startScales(origin: string) {
  const { host, port } = new URL(origin);
  const nginx = await startNginx({ upstreamPorts: [Number(port)], tls: true, http2: true });
  const wire = openHttp2({ port: nginx.port, host, ca: nginx.tls?.ca ?? "" });
  const weigh = ({ url, headers }: Asked) => weighAnswer(wire, url.slice(origin.length), headers);
  return {
    weigh,

    /** A pace answer of a room of a million, in which figures are long. */
    async weighPace(room: string): Promise<number> {
      const weight = await weigh({ url: `${origin}/rooms/${room}/pace`, headers: gzip });
      const status = (await (await fetch(`${origin}/rooms/${room}/status`)).json()) as RoomStatus;
      const bytes = (of: RoomStatus) => JSON.stringify(writePaceAnswer(of, of.revision ?? "")).length;
      const pace = { places_per_minute: 6_452, show_rate: 0.931, spread: 0.12, spread_up: 0.053, called: 312 };
      return weight - bytes(status) + bytes({ ...status, serving: 567_890, pace: { ...status.pace, ...pace } });
    },

    /** What opening a connection again adds to an answer. */
    async weighReopening(room: string): Promise<number> {
      const server = { port: nginx.port, host, ca: nginx.tls?.ca };
      const path = `/rooms/${room}/pace`;
      const kept = openHttp1(server);
      const weight = (await weighReopened(server, path, gzip)) - (await weighAnswer(kept, path, gzip));
      kept.close();
      return weight;
    },

    async stop() {
      wire.close();
      await nginx.stop();
    },
  };
}

export interface LinkedFigures {
  /** What the waiting page weighs, and all files beside it together, in bytes. */
  readonly linked: number;
  readonly files: number;
  /** CPU time of one file, in microseconds. */
  readonly fileCpuUs: number;
}

/** A waiting page with files beside it. */
export async function measureLinked(rounds: Rounds): Promise<LinkedFigures> {
  const client = { client_id: "site", client_secret: "x".repeat(32), redirect_uris: [redirectUri], room: "line" };
  const gateway = await startGateway({
    asProcess: true,
    config: {
      store: { type: "memory" },
      pages: { assets: "linked" },
      rooms: [{ id: "line", title: "Autumn tour tickets", inlet: { type: "manual" } }],
      clients: [client],
    },
  });
  const scales = await startScales(gateway.origin);
  try {
    const page = `${gateway.origin}/authorize?${query}`;
    const html = (await fetchRaw({ url: page, headers: { ...gzip, "accept-encoding": "identity" } })).body.toString();
    const named = new Set(html.match(/\/assets\/[\w.-]+\.(?:js|css|svg)/g));
    let files = 0;
    for (const file of named) files += await scales.weigh({ url: gateway.origin + file, headers: gzip });
    const comparing = await startComparing(gateway.process().pid, rounds);
    try {
      const [first = ""] = named;
      const { cpuUs } = await comparing.compare({ url: gateway.origin + first, headers: gzip });
      return { linked: await scales.weigh({ url: page, headers: gzip }), files, fileCpuUs: cpuUs.median };
    } finally {
      comparing.stop();
    }
  } finally {
    await scales.stop();
    await gateway.stop();
  }
}
