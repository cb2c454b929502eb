import { Agent, get } from "node:http";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { createHttpServer } from "../../../src/http/server.ts";

test("closing waits neither for idle connections nor for those that browsers open in advance", async () => {
  const server = createHttpServer((_request, response) => void response.end("ok"));
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
  const server = createHttpServer((_request, response) => void response.writeHead(200, ["X-A", "b"]).end("ok"));
  const port = await server.listen("127.0.0.1", 0);
  server.drain();
  const response = await fetch(`http://127.0.0.1:${port}/`);
  expect([response.headers.get("connection"), response.headers.get("x-a")]).toEqual(["close", "b"]);
  await server.close(600_000);
});
