/** One connection of a page, kept open: HTTP/1.1 by hand, so that thousands of pages fit into one process. */
import { connect, type Socket } from "node:net";

/** Of all connections, in both directions, headers included. */
export const bytes = { sent: 0, received: 0 };

export class Connection {
  readonly #socket: Socket;
  #take: (data: string) => void = () => {};

  constructor(port: number) {
    this.#socket = connect({ host: "127.0.0.1", port, noDelay: true });
    this.#socket.on("error", (error: NodeJS.ErrnoException) => {
      // As of a server that ends.
      if (error.code !== "ECONNRESET") throw error;
    });
    this.#socket.on("data", (data: Buffer) => {
      bytes.received += data.length;
      this.#take(data.toString("latin1"));
    });
  }

  /** One at a time. */
  request(method: string, path: string, headers = ""): Promise<{ status: number; body: string }> {
    return new Promise((resolve) => {
      let text = "";
      this.follow(method, path, headers, (data) => {
        text += data;
        const head = text.indexOf("\r\n\r\n") + 4;
        const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1]);
        if (head > 4 && text.length >= head + length)
          resolve({ status: Number(text.slice(9, 12)), body: text.slice(head) });
      });
    });
  }

  /** @param take is given what comes, headers and chunks as they are */
  follow(method: string, path: string, headers: string, take: (data: string) => void): void {
    this.#take = take;
    const text = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}Content-Length: 0\r\n\r\n`;
    bytes.sent += text.length;
    this.#socket.write(text);
  }

  close(): void {
    this.#socket.destroy();
  }
}
