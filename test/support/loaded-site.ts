/**
 * A real HTTP server that slows down with its load: so many workers, each busy for a while with every request, and one
 * queue for all. How many workers there are can be changed while it runs.
 */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface LoadedSite {
  readonly url: string;
  workers: number;
  stop(): Promise<void>;
}

export interface LoadedSiteOptions {
  readonly workers: number;
  /** How long a worker is busy with a request. */
  readonly serviceMs: number;
}

export async function startLoadedSite({ workers, serviceMs }: LoadedSiteOptions): Promise<LoadedSite> {
  const queue: ServerResponse[] = [];
  let busy = 0;

  const work = () => {
    while (busy < site.workers) {
      const next = queue.shift();
      if (next === undefined) return;
      busy++;
      setTimeout(() => {
        busy--;
        next.end("ok");
        work();
      }, serviceMs);
    }
  };

  const server = createServer((_request, response) => {
    queue.push(response);
    work();
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const site: LoadedSite = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    workers,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return site;
}
