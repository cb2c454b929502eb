/**
 * The least that a parked page takes on `node:http`: the bytes of a real answer, with the parameters of the request read, one MAC for the
 * ticket in its cookie, a place of its own in the page, and what all visitors share written as it is. No line, no store, no limits.
 */
import { createHmac, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

let status = 200;
let headers: string[] = [];
let pieces: Buffer[] = [];
let length = 0;
let joined = 0;
const key = randomBytes(32);
const places = 8;

const server = createServer((request, response) => {
  const url = request.url ?? "";
  const parameters = new URLSearchParams(url.slice(url.indexOf("?") + 1));
  const position = String(++joined);
  const ticket = `1.${position}.${parameters.get("client_id")}.${Date.now()}`;
  const mac = createHmac("sha256", key).update(ticket).digest("base64url");
  const own = Buffer.from(position.padStart(9));
  response.writeHead(status, [
    ...headers,
    "Set-Cookie",
    `ticket=${ticket}.${mac}; Path=/; HttpOnly`,
    "Content-Length",
    String(length),
  ]);
  response.cork();
  for (const [index, piece] of pieces.entries()) {
    response.write(piece);
    if (index < places) response.write(own);
  }
  response.end();
  response.uncork();
});

process.on("message", (message: { status: number; headers: string[]; body: string }) => {
  status = message.status;
  headers = [];
  for (let index = 0; index < message.headers.length; index += 2) {
    const [name = "", value = ""] = message.headers.slice(index, index + 2);
    if (!/^(set-cookie|content-length|transfer-encoding)$/i.test(name)) headers.push(name, value);
  }
  const body = Buffer.from(message.body, "base64");
  const size = Math.ceil(body.length / (places + 1));
  pieces = Array.from({ length: places + 1 }, (_, index) => body.subarray(index * size, (index + 1) * size));
  length = body.length + places * 9;
  process.send?.({ ready: true });
});
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
