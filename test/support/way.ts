/**
 * A way to gateways that a test can cut: an HTTP proxy, for a browser context that is set to it, or a load balancer at an address of its own.
 * It keeps no answer and repeats no request.
 */
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";

export interface Way {
  readonly port: number;
  /** For a browser context whose every request takes this way. */
  readonly proxy: { server: string; bypass: string };
  /** Ends what is under way, and takes no connection until it is mended. */
  cut(): void;
  mend(): void;
  /** The next request that fits is carried out, and its answer lost. */
  loseReplyTo(wanted: RegExp): void;
  close(): Promise<void>;
}

/** @param targets ports of gateways, which take turns; one that is away is passed over */
export async function startWay(targets: readonly number[], port = 0): Promise<Way> {
  const sockets = new Set<Socket>();
  let isCut = false;
  let lost: RegExp | null = null;
  let turn = 0;

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const socket = await connectTo(targets, turn++);
    if (socket === null) return void request.socket.destroy();
    const { pathname, search } = new URL(request.url ?? "/", "http://localhost");
    const isLost = lost?.test(`${request.method} ${pathname}`) === true;
    if (isLost) lost = null;
    const { method, headers } = request;
    const passed = ask({ createConnection: () => socket, method, path: pathname + search, headers }, (answer) => {
      if (isLost) return void request.socket.destroy();
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      response.flushHeaders();
      answer.pipe(response);
      answer.on("close", () => answer.complete || request.socket.destroy());
    });
    passed.on("error", () => request.socket.destroy());
    response.on("close", () => passed.destroy());
    request.pipe(passed);
  }

  const server = createServer((request, response) => void pass(request, response));
  server.on("connection", (socket) => {
    if (isCut) return void socket.destroy();
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const { port: taken } = server.address() as AddressInfo;
  return {
    port: taken,
    // Otherwise a browser takes no proxy to this machine.
    proxy: { server: `http://127.0.0.1:${taken}`, bypass: "<-loopback>" },
    cut() {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    mend() {
      isCut = false;
    },
    loseReplyTo(wanted) {
      lost = wanted;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The first that is there, beginning at the one whose turn it is. */
async function connectTo(targets: readonly number[], turn: number): Promise<Socket | null> {
  for (let index = 0; index < targets.length; index++) {
    const socket = connect(targets[(turn + index) % targets.length] ?? 0, "127.0.0.1");
    const isThere = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true));
      socket.once("error", () => resolve(false));
    });
    if (isThere) return socket;
  }
  return null;
}
