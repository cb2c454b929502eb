import { once } from "node:events";
import { Agent, get, type RequestListener } from "node:http";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { createLogger } from "../../../src/lib/logger.ts";
import { createListener } from "../../../src/web/server.ts";

const lines: string[] = [];
const logger = createLogger("info", { write: (line: string) => void lines.push(line) });
const listenerFor = (app: RequestListener, maxConnections = 100) =>
  createListener({ setting: "listen", host: "127.0.0.1", port: 0 }, app, { maxConnections, logger });

test("closing waits neither for idle connections nor for those that browsers open in advance", async () => {
  const server = listenerFor((_request, response) => void response.end("ok"));
  const port = await server.listen();
  const agent = new Agent({ keepAlive: true });
  const answered = await new Promise<string | undefined>((resolve) => {
    get({ port, host: "127.0.0.1", agent }, (response) => {
      response.resume().once("end", () => resolve(response.headers.connection));
    });
  });
  expect(answered).toBe("keep-alive");
  const silent = connect({ port, host: "127.0.0.1" });
  await new Promise((resolve) => silent.once("connect", resolve));
  const ended = new Promise((resolve) => silent.once("close", resolve));
  // A grace longer than the test may take.
  await server.close(600_000);
  await ended;
  agent.destroy();
});

test("while it drains each answer ends its connection, also where a listener writes its head by itself", async () => {
  const server = listenerFor((_request, response) => void response.writeHead(200, ["X-A", "b"]).end("ok"));
  const port = await server.listen();
  server.drain();
  const response = await fetch(`http://127.0.0.1:${port}/`);
  expect([response.headers.get("connection"), response.headers.get("x-a")]).toEqual(["close", "b"]);
  await server.close(600_000);
});

test("more connections than it may have are refused, and told of once", async () => {
  const server = listenerFor((_request, response) => void response.end("ok"), 1);
  const port = await server.listen();
  const open = async () => {
    const socket = connect({ port, host: "127.0.0.1" }).on("error", () => undefined);
    await new Promise((resolve) => socket.once("connect", resolve));
    return socket;
  };
  const first = await open();
  for (let turn = 0; turn < 3; turn++) {
    const further = await open();
    await new Promise((resolve) => further.once("close", resolve));
  }
  const refused = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === "connections.refused");
  expect(refused).toMatchObject([{ listener: "listen", count: 1 }]);
  first.end("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  const [answer] = (await once(first, "data")) as [Buffer];
  expect(String(answer)).toContain("200 OK");
  await server.close(600_000);
});

test("no listener sees a target that is too long, or one of too many parameters", async () => {
  const seen: (string | undefined)[] = [];
  const server = listenerFor((request, response) => {
    seen.push(request.url);
    response.end();
  });
  const port = await server.listen();
  const targets = [
    `/a?${"x".repeat(16_381)}`,
    `/a?${"x".repeat(16_382)}`,
    `/${"a".repeat(20_000)}`,
    `/a?${"b&".repeat(199)}`,
    `/a?${"b&".repeat(200)}`,
    `/rooms/r/verify/a?${"b&".repeat(200)}`,
  ];
  for (const target of targets) await (await fetch(`http://127.0.0.1:${port}${target}`)).text();
  const [longest, , , most, , appended] = targets;
  expect(seen).toEqual([longest, "/a", `/${"a".repeat(255)}`, most, "/a", appended]);
  await server.close(600_000);
});
