import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A TCP proxy that can lose replies: the server gets the request, the client a closed connection. */
export interface CuttingProxy {
  readonly port: number;
  /** Connections taken so far. */
  readonly connections: () => number;
  /** Drops the next reply and the connection with it. */
  cutNextReply(): void;
  close(): Promise<void>;
}

export async function startCuttingProxy(targetPort: number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  let isCutting = false;
  let connections = 0;
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
    upstream.on("data", (reply: Buffer) => {
      if (!isCutting) return void client.write(reply);
      isCutting = false;
      client.destroy();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
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
