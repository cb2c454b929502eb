import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { UsherConfig } from "../config/index.ts";
import type { Logger } from "../lib/logger.ts";
import { boundTargets } from "./middleware/incoming.ts";

/** A listener of the gateway that fails is reported with the part of the configuration that sets its address. */
export interface ListenerPlace {
  readonly setting: "listen" | "admin.listen";
  readonly host: string;
  readonly port: number;
}

export type Listener = ReturnType<typeof createListener>;

/** Bytes: relying parties put long states into the address, and visitors carry cookies of several rooms. */
const maxHeaderSize = 65_536;
/** Longer than the idle time of load balancers, which else reuse a connection that is just being closed. */
const keepAliveTimeout = 75_000;

/** A connection that has sent nothing for this long, in milliseconds, has no request under way: browsers open some in advance. */
const firstByteMs = 1_000;
const sweepMs = 100;

/** @param maxConnections further ones are refused */
export function createListener(
  { setting, host, port }: ListenerPlace,
  app: RequestListener,
  { maxConnections, logger }: { readonly maxConnections: number; readonly logger: Logger },
) {
  const server = createServer({ maxHeaderSize, keepAliveTimeout, requestTimeout: 30_000 }, boundTargets(app));
  server.maxConnections = maxConnections;
  tellRefused(server, (count) =>
    logger.warn(
      { event: "connections.refused", listener: setting, count },
      `${maxConnections} connections are open, as many as listen.max_connections allows: further ones are refused`,
    ),
  );
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  let isDraining = false;
  /** From now on each answer is the last on its connection: clients take another, and maybe another process. */
  const drain = () => {
    if (isDraining) return;
    isDraining = true;
    server.prependListener("request", (_request, response) => response.setHeader("Connection", "close"));
  };
  return {
    /** Answers the port, which matters when any free one was asked for. @throws Error of the system, with `setting` */
    async listen(): Promise<number> {
      server.listen({ host, port, backlog: 4_096 });
      await namingSetting(setting, once(server, "listening"));
      return (server.address() as AddressInfo).port;
    },

    drain,

    /** Stops accepting, lets what is in flight finish for at most `graceMs`, then cuts it. */
    async close(graceMs: number): Promise<void> {
      drain();
      const release = await holdNewcomers(server);
      const closedMs = performance.now();
      await new Promise<void>((resolve) => {
        const sweep = setInterval(() => {
          const sinceMs = performance.now() - closedMs;
          if (sinceMs >= graceMs) return server.closeAllConnections();
          // Behind a turn that has read what had arrived: a request on an idle connection would be lost with it.
          setImmediate(() => server.closeIdleConnections());
          if (sinceMs < firstByteMs) return;
          for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
        }, sweepMs);
        server.close(() => {
          clearInterval(sweep);
          resolve();
        });
        release();
      });
    },
  };
}

/** Nothing listens there (tcpmux, historic by RFC 7805), so that a connection to it is refused at once. */
const unusedPort = 1;
/** Where a filter drops the attempt instead, nobody waits longer than this, in milliseconds. */
const refusalMs = 500;
/** What else is wrong with an address is for the listener to say: it may choose another one of the host. */
const refusals: ReadonlySet<string | undefined> = new Set(["EADDRINUSE", "EADDRNOTAVAIL", "EACCES"]);

/**
 * Whether a listener could listen there: takes the address for a moment, as the own end of a connection. To listen for a moment would cut
 * off who connects meanwhile, as load balancers do. Somebody else may still be quicker.
 *
 * @throws as `Listener.listen` would
 */
export async function checkPlace({ setting, host, port }: ListenerPlace): Promise<void> {
  const { address } = await namingSetting(setting, lookup(host));
  const probe = connect({
    host: address,
    port: unusedPort,
    localAddress: address,
    localPort: port,
    timeout: refusalMs,
  });
  const ended = new Promise<void>((resolve, reject) => {
    probe.on("connect", resolve).on("timeout", resolve);
    probe.on("error", (error: NodeJS.ErrnoException) => {
      if (error.syscall === "bind" && refusals.has(error.code)) reject(error);
      else resolve();
    });
  });
  await namingSetting(
    setting,
    ended.finally(() => probe.destroy()),
  );
}

/** Adds the setting that names the address to what is thrown. */
async function namingSetting<T>(setting: ListenerPlace["setting"], taken: Promise<T>): Promise<T> {
  try {
    return await taken;
  } catch (error) {
    throw Object.assign(error as Error, { setting });
  }
}

/** Newcomers are held for at most this long, in milliseconds, and only until none has come for a while. */
const pausedMsMax = 500;
const quietMs = 50;

/**
 * What has reached the machine and not yet this process is reset when it stops listening: connections that were not accepted,
 * requests on connections that were idle. So it stops right after a turn of the event loop that brought none. New connections
 * are accepted meanwhile, and not read: visitors who wait for an answer send nothing else, so that soon nobody comes.
 *
 * @returns what lets those go on, to be called once the process listens no more
 */
async function holdNewcomers(server: Server): Promise<() => void> {
  const sinceMs = performance.now();
  let arrivedMs = sinceMs;
  const note = () => {
    arrivedMs = performance.now();
  };
  const paused: Socket[] = [];
  const hold = (socket: Socket) => {
    note();
    paused.push(socket);
  };
  const listeners = server.listeners("connection") as ((socket: Socket) => void)[];
  server.removeAllListeners("connection").on("connection", hold).on("request", note);
  for (let isQuiet = false; !isQuiet; ) {
    const turnMs = performance.now();
    await new Promise(setImmediate);
    const leastMs = turnMs - sinceMs < pausedMsMax ? quietMs : 0;
    isQuiet = arrivedMs <= turnMs - leastMs || turnMs - sinceMs > 2 * pausedMsMax;
  }
  return () => {
    server.off("connection", hold).off("request", note);
    for (const listener of listeners) server.on("connection", listener);
    for (const socket of paused) server.emit("connection", socket);
  };
}

const reportEveryMs = 60_000;

function tellRefused(server: Server, onRefused: (count: number) => void): void {
  let unreported = 0;
  let reportedMs = Number.NEGATIVE_INFINITY;
  server.on("drop", () => {
    unreported++;
    if (performance.now() - reportedMs < reportEveryMs) return;
    onRefused(unreported);
    reportedMs = performance.now();
    unreported = 0;
  });
}

/** Where a gateway listens: for visitors, and for operators where that is another place. */
export function placesOf({ listen, admin }: UsherConfig): [ListenerPlace, ListenerPlace | null] {
  return [{ setting: "listen", ...listen }, admin.listen && { setting: "admin.listen", ...admin.listen }];
}

/** See `checkPlace`. @throws as listening would */
export async function checkPlaces(config: UsherConfig): Promise<void> {
  for (const place of placesOf(config)) if (place !== null) await checkPlace(place);
}
