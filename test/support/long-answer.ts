import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type LongAnswer = Awaited<ReturnType<typeof startLongAnswer>>;

/** Bytes of one answer that may leave the server though they are not read: of the longest bound, an HTTP client and two sockets. */
export const LONG_ANSWER_READ_MAX = 28 * 1_048_576;

const chunk = Buffer.alloc(65_536, " ");

/**
 * A server whose answers have 400 MiB, as fast as they are read, and which counts what has left it.
 *
 * @param answer answers a request itself, and says so
 */
export async function startLongAnswer(
  answer: (request: IncomingMessage, response: ServerResponse) => boolean = () => false,
  bytes = 400 * 1_048_576,
) {
  let requests = 0;
  let sent = 0;
  const server = createServer((request, response) => {
    if (answer(request, response)) return;
    requests++;
    request.resume();
    response.writeHead(200, { "content-type": "application/json" });
    let left = bytes;
    const send = () => {
      while (left > 0 && !response.destroyed) {
        left -= chunk.length;
        sent += chunk.length;
        if (!response.write(chunk)) return void response.once("drain", send);
      }
      response.end();
    };
    send();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    /** Those that got a long answer. */
    get requests() {
      return requests;
    },
    get sent() {
      return sent;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
