/** One connection of a page, kept open: HTTP/1.1 by hand, so that thousands of pages fit into one process. */
import { connect, type Socket } from "node:net";

export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Of all connections, in both directions, headers included. */
export const bytes = { sent: 0, received: 0 };

export class Connection {
  readonly #socket: Socket;
  #received = "";
  #isStream = false;
  #take: (text: string) => void = () => {};

  constructor(port: number) {
    this.#socket = connect({ host: "127.0.0.1", port, noDelay: true });
    this.#socket.on("error", (error) => {
      throw error;
    });
    this.#socket.on("data", (data: Buffer) => {
      bytes.received += data.length;
      this.#received += data.toString("latin1");
      if (this.#isStream) this.#take(this.#received);
      else this.#takeAnswer();
    });
  }

  /** One at a time. */
  request(method: string, path: string, headers = ""): Promise<Answer> {
    return new Promise((resolve) => {
      this.#take = (text) =>
        resolve({ status: Number(text.slice(9, 12)), body: text.slice(text.indexOf("\r\n\r\n") + 4) });
      this.#send(method, path, headers);
    });
  }

  /** @param take is given all that has come since the last time it was called, headers and chunks as they are */
  follow(path: string, take: (text: string) => void): void {
    this.#isStream = true;
    this.#take = (text) => {
      this.#received = "";
      take(text);
    };
    this.#send("GET", path, "Accept: text/event-stream\r\n");
  }

  close(): void {
    this.#socket.destroy();
  }

  #send(method: string, path: string, headers: string): void {
    const text = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}${method === "POST" ? "Content-Length: 0\r\n" : ""}\r\n`;
    bytes.sent += text.length;
    this.#socket.write(text);
  }

  #takeAnswer(): void {
    const head = this.#received.indexOf("\r\n\r\n");
    if (head < 0) return;
    const length = /\r\ncontent-length: (\d+)/i.exec(this.#received.slice(0, head + 2))?.[1];
    if (length === undefined) throw new Error(`an answer without a length: ${this.#received.slice(0, 200)}`);
    const end = head + 4 + Number(length);
    if (this.#received.length < end) return;
    const answer = this.#received.slice(0, end);
    this.#received = this.#received.slice(end);
    this.#take(answer);
  }
}
