import { connect, createServer, type Server } from "node:net";

// Below the range from which systems pick ports for outgoing connections, so that a port found free
// here is not taken by a passing connection before the server under test listens on it.
const FIRST_PORT = 20_000;
const PORT_COUNT = 6_000;
const ATTEMPTS_MAX = 200;

const claims = new Map<number, Server>();

/**
 * A port that nobody listens on and that no test was given before, in this process or in any other that runs. Whoever is given
 * one may begin to listen on it much later, and anew after a crash: until this process ends, it is nobody else's.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const port = FIRST_PORT + Math.floor(Math.random() * PORT_COUNT);
    if (claims.has(port)) continue;
    const claim = await claimOf(port);
    if (claim === undefined) continue;
    if ((await canListen(port, "127.0.0.1")) && (await canListen(port, "::"))) {
      claims.set(port, claim);
      return port;
    }
    claim.close();
  }
  throw new Error(`no free port found in ${ATTEMPTS_MAX} attempts`);
}

/** Every port has another beside it, above all that are given out: who listens on that has claimed the first, as long as they run. */
function claimOf(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once("error", () => resolve(undefined));
    server.listen({ port: port + PORT_COUNT, host: "127.0.0.1", exclusive: true }, () => resolve(server.unref()));
  });
}

export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) ports.push(await freePort());
  return ports;
}

function canListen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    // A machine without IPv6 cannot listen on "::", which says nothing about the port.
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code !== "EADDRINUSE"));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** Whether anybody accepts connections on a port of this machine. */
export function accepts(port: number, host = "127.0.0.1"): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host });
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

/** Whether a plain http server at `url` answers at all, whatever the status. */
export async function answers(url: string): Promise<boolean> {
  try {
    await (await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(1_000) })).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
