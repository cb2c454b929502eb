import { startGateway } from "../support/gateway.ts";
import { type Asked, fetchRaw, type Rounds, startComparing } from "./compare.ts";
import { gzip, query, redirectUri } from "./requests.ts";

/** What an answer weighs, its headers included, in bytes. */
export async function weigh(asked: Asked): Promise<number> {
  const { headers, body } = await fetchRaw(asked);
  // What a server adds by itself: the status line, Date, Connection and Keep-Alive.
  const added = 110;
  return added + headers.reduce((sum, text) => sum + text.length + 2, 0) + body.length;
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
  try {
    const page = `${gateway.origin}/authorize?${query}`;
    const html = (await fetchRaw({ url: page, headers: { ...gzip, "accept-encoding": "identity" } })).body.toString();
    const named = new Set(html.match(/\/assets\/[\w.-]+\.(?:js|css|svg)/g));
    let files = 0;
    for (const file of named) files += await weigh({ url: gateway.origin + file, headers: gzip });
    const comparing = await startComparing(gateway.process().pid, rounds);
    try {
      const [first = ""] = named;
      const { cpuUs } = await comparing.compare({ url: gateway.origin + first, headers: gzip });
      return { linked: await weigh({ url: page, headers: gzip }), files, fileCpuUs: cpuUs.median };
    } finally {
      comparing.stop();
    }
  } finally {
    await gateway.stop();
  }
}
