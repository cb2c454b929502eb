/**
 * A kept connection to this machine that asks one thing at a time, written by hand: so that a process which asks for a million places, and
 * looks at every answer, takes far less CPU time than the gateway that answers.
 */
import { connect } from "node:net";

export interface Answer {
  readonly status: number;
  /** A part of what was received: to be read before the next question. */
  readonly body: Buffer;
}

export interface Connection {
  ask(request: Buffer, take: (answer: Answer) => void): void;
  end(): void;
}

const endOfHead = Buffer.from("\r\n\r\n");
const contentLength = /\r\ncontent-length: (\d+)/i;

/** @param fail called when it is lost, or when an answer cannot be read */
export function openConnection(port: number, fail: (reason: string) => void): Connection {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  let received: Buffer = Buffer.alloc(0);
  let take: ((answer: Answer) => void) | undefined;

  socket.on("data", (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const headEnd = received.indexOf(endOfHead);
    if (headEnd < 0) return;
    const head = received.toString("latin1", 0, headEnd);
    const length = contentLength.exec(head)?.[1];
    if (length === undefined) {
      socket.destroy(new Error(`an answer without a length: ${head.slice(0, 100)}`));
      return;
    }
    const bodyStart = headEnd + endOfHead.length;
    const bodyEnd = bodyStart + Number(length);
    if (received.length < bodyEnd) return;
    const answer = { status: Number(head.slice(9, 12)), body: received.subarray(bodyStart, bodyEnd) };
    received = received.subarray(bodyEnd);
    const taken = take;
    take = undefined;
    taken?.(answer);
  });
  socket.on("error", (error) => fail(error.message));
  socket.on("close", () => {
    if (take !== undefined) fail("closed without an answer");
  });

  return {
    ask(request, taken) {
      take = taken;
      socket.write(request);
    },
    end() {
      take = undefined;
      socket.end();
    },
  };
}

/** As bytes, for `ask`. */
export function requestOf(method: string, host: string, path: string, headers: Record<string, string> = {}): Buffer {
  const lines = Object.entries({ host, ...headers, ...(method === "POST" && { "content-length": "0" }) });
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`,
  );
}
