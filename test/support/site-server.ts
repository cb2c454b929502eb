/** An HTTP server of a test's own, for sites and for doubles of what cannot run here; with TLS or without. */
import { readFile } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Tls } from "./tls.ts";

/** As much as an Application Load Balancer takes (its guide, "HTTP 400: Bad request": 64K for the entire header). */
const HEADER_BYTES_MAX = 65_536;

export interface SiteServerOptions {
  port: number;
  /** With TLS; without, plain http. */
  tls?: Tls;
}

export interface SiteServer {
  stop(): Promise<void>;
}

export async function startSiteServer(handle: RequestListener, options: SiteServerOptions): Promise<SiteServer> {
  const { port, tls } = options;
  const server =
    tls === undefined
      ? createServer({ maxHeaderSize: HEADER_BYTES_MAX }, handle)
      : createTlsServer({ maxHeaderSize: HEADER_BYTES_MAX, ...(await keyOf(tls)) }, handle);
  await listen(server, port);
  return {
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function keyOf({ certificateFile, keyFile }: Tls) {
  return { cert: await readFile(certificateFile), key: await readFile(keyFile) };
}

/** On every address of this machine: `localhost` may mean either of two. */
function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, () => {
      server.off("error", reject);
      resolve();
    });
  });
}
