import { once } from "node:events";
import { Agent, get } from "node:http";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { createHttpServer } from "../../../src/http/server.ts";

const anyNumber = { maxConnections: 100, onRefused: () => undefined };

test("closing waits neither for idle connections nor for those that browsers open in advance", async () => {
  const server = createHttpServer((_request, response) => void response.end("ok"), anyNumber);
  const port = await server.listen("127.0.0.1", 0);
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
  const server = createHttpServer(
    (_request, response) => void response.writeHead(200, ["X-A", "b"]).end("ok"),
    anyNumber,
  );
  const port = await server.listen("127.0.0.1", 0);
  server.drain();
  const response = await fetch(`http://127.0.0.1:${port}/`);
  expect([response.headers.get("connection"), response.headers.get("x-a")]).toEqual(["close", "b"]);
  await server.close(600_000);
});

test("more connections than it may have are refused, and told of once", async () => {
  const refused: number[] = [];
  const server = createHttpServer((_request, response) => void response.end("ok"), {
    maxConnections: 1,
    onRefused: (count) => refused.push(count),
  });
  const port = await server.listen("127.0.0.1", 0);
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
  expect(refused).toEqual([1]);
  first.end("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  const [answer] = (await once(first, "data")) as [Buffer];
  expect(String(answer)).toContain("200 OK");
  await server.close(600_000);
});

test("no listener sees a target that is too long, or one of too many parameters", async () => {
  const seen: (string | undefined)[] = [];
  const server = createHttpServer((request, response) => {
    seen.push(request.url);
    response.end();
  }, anyNumber);
  const port = await server.listen("127.0.0.1", 0);
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
