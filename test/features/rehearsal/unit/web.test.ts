/** How played visitors ask, against a real server. */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { createWeb, type Web } from "../../../../src/features/rehearsal/visitor/web.ts";
import { LONG_ANSWER_READ_MAX, startLongAnswer } from "../../../support/long-answer.ts";

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

async function serve(listener: RequestListener, connections = 4): Promise<{ web: Web; url: URL }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const web = createWeb(connections);
  ends.push(() => {
    web.close();
    server.close();
    server.closeAllConnections();
  });
  return { web, url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/page`) };
}

const timeoutMs = 5_000;

test("pages are unpacked, bodies sent whole, and redirects left to whoever asks", async () => {
  const { web, url } = await serve((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      response.writeHead(303, { location: "/elsewhere", "content-encoding": "gzip", "set-cookie": ["a=1", "b=2"] });
      response.end(gzipSync(`${request.method} ${body}`));
    });
  });
  const answer = await web.ask(url, { method: "POST", body: "ü=1", timeoutMs });
  expect(answer).toMatchObject({
    status: 303,
    text: "POST ü=1",
    headers: { location: "/elsewhere", "set-cookie": ["a=1", "b=2"] },
  });
});

test("a kept connection that the server has closed is no error of a GET, as in browsers; of a POST it is", async () => {
  let asked = 0;
  const { web, url } = await serve((request, response) => {
    asked++;
    // Every second one finds its connection closed.
    if (asked % 2 === 0) request.socket.destroy();
    else response.end("here");
  }, 1);
  const get = () => web.ask(url, { timeoutMs });
  expect([await get(), await get()]).toEqual([
    expect.objectContaining({ text: "here" }),
    expect.objectContaining({ text: "here" }),
  ]);
  expect(asked).toBe(3);
  expect(await web.ask(url, { method: "POST", timeoutMs })).toMatch(/ECONNRESET|hang up/);
  expect(asked).toBe(4);
});

const bomb = gzipSync(Buffer.alloc(20_000_000));
const packed = { "content-encoding": "gzip" };

test.each<[string, RequestListener, number, RegExp]>([
  ["no answer in time", () => {}, 200, /^no answer in time$/],
  ["half an answer", (_, response) => void response.write("half"), 200, /^no answer in time$/],
  [
    "an endless answer",
    (_, response) => void response.end("x".repeat(3_000_000)),
    timeoutMs,
    /^an answer that is too long$/,
  ],
  ["packed nonsense", (_, response) => void response.writeHead(200, packed).end("no"), timeoutMs, /cannot be read/],
  [
    "a page packed beyond measure",
    (_, response) => void response.writeHead(200, packed).end(bomb),
    timeoutMs,
    /cannot be read/,
  ],
])("%s is told in words", async (_, listener, withinMs, words) => {
  const { web, url } = await serve(listener);
  expect(await web.ask(url, { timeoutMs: withinMs })).toMatch(words);
});

test("what waits for a connection is measured apart, and what is under way can be cut", async () => {
  const { web, url } = await serve((_, response) => void setTimeout(() => response.end("late"), 200), 1);
  // Shorter than the queue, longer than an answer: nobody's time runs out while they wait for a connection.
  const answers = await Promise.all([1, 2, 3].map(() => web.ask(url, { timeoutMs: 380 })));
  const tookMs = answers.map((answer) => (typeof answer === "string" ? Number.NaN : answer.tookMs));
  // The last one waited for two others, and that is no part of what it took.
  expect(web.queuedMs.max).toBeGreaterThan(350);
  expect(web.queuedMs.max).toBeGreaterThan(Math.max(...tookMs.slice(2)));
  const running = web.ask(url, { timeoutMs });
  setTimeout(() => web.cut(), 20);
  expect(await running).toBe("stopped");
});

test("an answer of 400 MiB is not read to its end", async () => {
  const source = await startLongAnswer();
  const web = createWeb(1);
  try {
    expect(typeof (await web.ask(new URL(source.url), { timeoutMs: 10_000 }))).toBe("string");
    expect(source.requests).toBeGreaterThan(0);
    expect(source.sent).toBeLessThan(LONG_ANSWER_READ_MAX * source.requests);
  } finally {
    web.close();
    await source.close();
  }
});
