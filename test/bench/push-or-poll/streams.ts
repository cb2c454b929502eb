/**
 * The prototype: server-sent events for pages in the last minute of a wait. A process of its own beside a gateway, whose public status it
 * reads 20 times a second. Started with the gateway's origin; tells its parent the port.
 *
 * `GET /ROOM?position=N` says when it is the turn of that position; with `&every`, also where the line stands whenever it has moved.
 */
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";

interface Stream {
  readonly socket: Socket;
  readonly position: number;
  readonly saysEvery: boolean;
}

interface Source {
  readonly streams: Set<Stream>;
  serving: number;
}

const readEveryMs = 50;
/** Less than proxies and load balancers allow a connection to be silent. */
const keepAliveMs = 15_000;

const [gateway = ""] = process.argv.slice(2);
const sources = new Map<string, Source>();
/** A chunk of HTTP/1.1, made once for all who get it. */
const chunk = (text: string) => Buffer.from(`${text.length.toString(16)}\r\n${text}\r\n`);
const silence = chunk(":\n\n");

const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "", gateway);
  response.writeHead(200, {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-store",
    "Transfer-Encoding": "chunked",
    "Access-Control-Allow-Origin": "*",
    // Else nginx keeps back what is small.
    "X-Accel-Buffering": "no",
  });
  response.flushHeaders();
  const { socket } = request;
  socket.setNoDelay(true);
  const stream = { socket, position: Number(searchParams.get("position")), saysEvery: searchParams.has("every") };
  const source = sourceOf(pathname.slice(1));
  source.streams.add(stream);
  socket.once("close", () => source.streams.delete(stream));
  if (source.serving >= stream.position) socket.write(eventOf(source));
});

function sourceOf(room: string): Source {
  const known = sources.get(room);
  if (known !== undefined) return known;
  const source: Source = { streams: new Set(), serving: 0 };
  sources.set(room, source);
  setInterval(() => void read(room, source), readEveryMs);
  return source;
}

async function read(room: string, source: Source): Promise<void> {
  const { serving } = (await (await fetch(`${gateway}/rooms/${room}/status`)).json()) as { serving: number };
  if (serving === source.serving) return;
  source.serving = serving;
  const event = eventOf(source);
  for (const { socket, position, saysEvery } of source.streams) {
    if (saysEvery || serving >= position) socket.write(event);
  }
}

function eventOf({ serving }: Source): Buffer {
  return chunk(`data: {"serving":${serving}}\n\n`);
}

setInterval(() => {
  for (const { streams } of sources.values()) for (const { socket } of streams) socket.write(silence);
}, keepAliveMs);

server.listen({ host: "127.0.0.1", port: 0, backlog: 4_096 }, () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
