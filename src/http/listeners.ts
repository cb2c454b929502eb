/**
 * The gateway's listeners. A listener that fails is reported with the part of the configuration that sets its address.
 */
import { once } from "node:events";
import type { RequestListener } from "node:http";
import { createServer } from "node:net";
import type { Logger } from "../lib/logger.ts";
import { createHttpServer, type HttpServer } from "./server.ts";

export interface ListenerPlace {
  readonly setting: "listen" | "admin.listen";
  readonly host: string;
  readonly port: number;
}

export interface Listener {
  readonly server: HttpServer;
  /** Answers the port. @throws Error of the system, with `setting` */
  listen(): Promise<number>;
}

export function createListener(
  { setting, host, port }: ListenerPlace,
  app: RequestListener,
  { maxConnections, logger }: { readonly maxConnections: number; readonly logger: Logger },
): Listener {
  const onRefused = (count: number) =>
    logger.warn(
      { event: "connections.refused", listener: setting, count },
      `${maxConnections} connections are open, as many as listen.max_connections allows: further ones are refused`,
    );
  const server = createHttpServer(app, { maxConnections, onRefused });
  return { server, listen: () => namingSetting(setting, server.listen(host, port)) };
}

/**
 * Listens there for a moment. Somebody else may still be quicker.
 *
 * @throws as `Listener.listen` would
 */
export async function checkPlace({ setting, host, port }: ListenerPlace): Promise<void> {
  const probe = createServer().listen({ host, port });
  await namingSetting(setting, once(probe, "listening"));
  await new Promise((resolve) => probe.close(resolve));
}

/** Adds the setting that names the address to what is thrown. */
async function namingSetting<T>(setting: ListenerPlace["setting"], listening: Promise<T>): Promise<T> {
  try {
    return await listening;
  } catch (error) {
    throw Object.assign(error as Error, { setting });
  }
}
