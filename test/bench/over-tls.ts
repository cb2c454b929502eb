/** Requests whose answers are counted as they come over the wire: TLS included, packets' own headers not. */
import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { connect } from "node:net";
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from "node:tls";

export interface Wire {
  ask(path: string, headers: Readonly<Record<string, string>>): Promise<void>;
  /** Of all answers so far, in bytes. */
  bytesRead(): number;
  close(): void;
}

export interface Server {
  readonly port: number;
  /** With its port. */
  readonly host: string;
  /** Absent: plain HTTP/1.1. */
  readonly ca?: string | undefined;
}

/** @param session of an earlier connection, to be taken up again */
export function openHttp1({ port, host, ca }: Server, session?: Buffer): Wire & { readonly socket: TLSSocket | null } {
  const raw = connect(port, "127.0.0.1");
  const tls = ca === undefined ? null : connectTls(tlsOptions(raw, ca, session));
  const socket = tls ?? raw;
  return {
    socket: tls,
    ask: (path, headers) =>
      new Promise((resolve, reject) => {
        const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
        let answer = "";
        const take = (chunk: Buffer) => {
          answer += chunk.toString("latin1");
          const end = answer.indexOf("\r\n\r\n") + 4;
          const length = /^content-length: (\d+)/im.exec(answer.slice(0, end))?.[1];
          const isWhole = length === undefined ? answer.endsWith("0\r\n\r\n") : answer.length === end + Number(length);
          if (end < 4 || !isWhole) return;
          socket.off("data", take);
          if (answer.startsWith("HTTP/1.1 200")) resolve();
          else reject(new Error(answer.slice(0, end)));
        };
        socket.on("data", take);
        socket.write(`GET ${path} HTTP/1.1\r\n${lines.join("")}\r\n`);
      }),
    bytesRead: () => raw.bytesRead,
    close: () => raw.destroy(),
  };
}

export function openHttp2({ port, host, ca }: Required<Server>): Wire {
  const raw = connect(port, "127.0.0.1");
  const session = connectHttp2(`https://${host}`, {
    createConnection: () => connectTls({ ...tlsOptions(raw, ca), ALPNProtocols: ["h2"] }),
  });
  return {
    ask: (path, headers) =>
      new Promise((resolve, reject) => {
        const request = session.request({ ":path": path, ...headers }).resume();
        request.once("response", (answer) => {
          if (answer[":status"] !== 200) reject(new Error(`${path} answered ${answer[":status"]}`));
        });
        request.once("end", resolve).once("error", reject).end();
      }),
    bytesRead: () => raw.bytesRead,
    close: () => session.destroy(),
  };
}

function tlsOptions(raw: ReturnType<typeof connect>, ca: string | undefined, session?: Buffer): ConnectionOptions {
  return { socket: raw, servername: "localhost", ...(ca !== undefined && { ca }), ...(session && { session }) };
}

/** Of one answer, on a connection on which others have come before. */
export async function weighAnswer(wire: Wire, path: string, headers: Readonly<Record<string, string>>, times = 1) {
  await wire.ask(path, headers);
  const before = wire.bytesRead();
  for (let count = 0; count < times; count++) await wire.ask(path, headers);
  return Math.round((wire.bytesRead() - before) / times);
}

/** The same, by HTTP/1.1, on a connection that is opened anew with what the last one has left (RFC 8446, section 2.2), its opening included. */
export async function weighReopened(server: Server, path: string, headers: Readonly<Record<string, string>>) {
  const first = openHttp1(server);
  const told = once(first.socket as TLSSocket, "session") as Promise<[Buffer]>;
  await first.ask(path, headers);
  const [session] = await told;
  first.close();
  const again = openHttp1(server, session);
  await again.ask(path, headers);
  if (!again.socket?.isSessionReused()) throw new Error("the session was not taken up again");
  again.close();
  return again.bytesRead();
}
