/**
 * The prototype: server-sent events for pages in the last minute of a wait. A process beside a gateway, whose public status it reads 20 times a
 * second. Started with the gateway's origin; tells its parent the port. `GET /ROOM?position=N` says when it is that position's turn; with
 * `&every`, also where the line stands whenever it has moved.
 */
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";

interface Source {
  readonly streams: Set<{ readonly socket: Socket; readonly position: number; readonly saysEvery: boolean }>;
  serving: number;
}

const readEveryMs = 50;
/** Less than proxies and load balancers allow a connection to be silent. */
const silenceMsMost = 15_000;
const [gateway = ""] = process.argv.slice(2);
const sources = new Map<string, Source>();
/** A chunk of HTTP/1.1, made once for all who get it. */
const chunk = (text: string) => Buffer.from(`${text.length.toString(16)}\r\n${text}\r\n`);
const turn = ({ serving }: Source) => chunk(`data: {"serving":${serving}}\n\n`);

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "", gateway);
  // The last is for nginx, which else keeps back what is small.
  const headers = { "Cache-Control": "no-store", "Transfer-Encoding": "chunked", "X-Accel-Buffering": "no" };
  response.writeHead(200, { "Content-Type": "text/event-stream", ...headers }).flushHeaders();
  const { socket } = request;
  const stream = { socket, position: Number(searchParams.get("position")), saysEvery: searchParams.has("every") };
  const source = sourceOf(pathname.slice(1));
  source.streams.add(stream);
  socket.once("close", () => source.streams.delete(stream));
  if (source.serving >= stream.position) socket.write(turn(source));
});

function sourceOf(room: string): Source {
  const source = sources.get(room) ?? { streams: new Set(), serving: 0 };
  if (!sources.has(room)) setInterval(() => void read(room, source), readEveryMs);
  sources.set(room, source);
  return source;
}

async function read(room: string, source: Source): Promise<void> {
  const { serving } = (await (await fetch(`${gateway}/rooms/${room}/status`)).json()) as { serving: number };
  if (serving === source.serving) return;
  source.serving = serving;
  const event = turn(source);
  for (const { socket, position, saysEvery } of source.streams) {
    if (saysEvery || serving >= position) socket.write(event);
  }
}

const comment = chunk(":\n\n");
setInterval(() => {
  for (const { streams } of sources.values()) for (const { socket } of streams) socket.write(comment);
}, silenceMsMost);
server.listen({ host: "127.0.0.1", port: 0, backlog: 4_096 }, () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
