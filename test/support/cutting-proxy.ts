import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** A TCP proxy that can lose replies, where the server gets the request and the client a closed connection, or bring them late. */
export interface CuttingProxy {
  readonly port: number;
  /** Connections taken so far. */
  readonly connections: () => number;
  /** Drops the next reply and the connection with it. */
  cutNextReply(): void;
  /** Replies take so many milliseconds from now on, in their order. */
  delayReplies(ms: number): void;
  close(): Promise<void>;
}

export async function startCuttingProxy(targetPort: number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  let isCutting = false;
  let connections = 0;
  let delayMs = 0;
  const server = createServer((client) => {
    connections++;
    const upstream = connect(targetPort, "127.0.0.1");
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream);
    let before: Promise<unknown> = Promise.resolve();
    upstream.on("data", (reply: Buffer) => {
      if (!isCutting) {
        if (delayMs > 0) before = Promise.all([before, delay(delayMs)]);
        before = before.then(() => client.write(reply));
        return;
      }
      isCutting = false;
      client.destroy();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    delayReplies(ms) {
      delayMs = ms;
    },
    cutNextReply: () => {
      isCutting = true;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
