/**
 * What the gateway is measured against: a bare node:http server that answers the same bytes. Takes from its parent
 * `{ status, headers, body }` (base64) for each run and answers every request with it.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

let status = 200;
let headers: string[] = [];
let body = Buffer.alloc(0);

const server = createServer((_request, response) => {
  response.writeHead(status, headers);
  response.end(body);
});

process.on("message", (message: { status: number; headers: string[]; body: string }) => {
  status = message.status;
  headers = message.headers;
  body = Buffer.from(message.body, "base64");
  process.send?.({ ready: true });
});
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
