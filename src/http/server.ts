import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export interface HttpServer {
  /** Answers the port, which matters when any free one was asked for. */
  listen(host: string, port: number): Promise<number>;
  /** Stops accepting, lets what is in flight finish for at most `graceMs`, then cuts it. */
  close(graceMs: number): Promise<void>;
}

/** Bytes: relying parties put long states into the address, and visitors carry cookies of several rooms. */
const maxHeaderSize = 65_536;
/** Longer than the idle time of load balancers, which else reuse a connection that is just being closed. */
const keepAliveTimeout = 75_000;

export function createHttpServer(listener: RequestListener): HttpServer {
  const server: Server = createServer({ maxHeaderSize, keepAliveTimeout, requestTimeout: 30_000 }, listener);
  return {
    listen: (host, port) =>
      new Promise((resolve, reject) => {
        server.once("error", reject);
        server.listen({ host, port, backlog: 4_096 }, () => {
          server.off("error", reject);
          resolve((server.address() as AddressInfo).port);
        });
      }),

    close: (graceMs) =>
      new Promise((resolve) => {
        const cut = setTimeout(() => server.closeAllConnections(), graceMs);
        server.close(() => {
          clearTimeout(cut);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}
