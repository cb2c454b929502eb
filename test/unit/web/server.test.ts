import { spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, get, type RequestListener } from "node:http";
import { type AddressInfo, connect, createServer } from "node:net";
import { describe, expect, test } from "vitest";
import { createLogger } from "../../../src/lib/logger.ts";
import { checkPlace, createListener } from "../../../src/web/server.ts";

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

/** Says that it has begun, and, when its input ends, how often it was connected. */
const connectAgainAndAgain = `
  let connections = 0;
  const again = () => require("node:net").connect(process.argv[1], "127.0.0.1")
    .on("connect", () => connections++).on("error", () => {}).on("close", again);
  for (let one = 0; one < 8; one++) again();
  process.stdin.resume().on("end", () => process.stdout.write(String(connections), () => process.exit()));
  process.stdout.write("begun");
`;

describe("a place is looked at", () => {
  const placeAt = (host: string, port: number) => ({ setting: "listen", host, port }) as const;

  async function takenPort(host: string): Promise<{ port: number; leave(): Promise<void> }> {
    const server = createServer().listen(0, host);
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    return { port, leave: () => new Promise((resolve) => server.close(() => resolve())) };
  }

  test.each(["127.0.0.1", "localhost", "0.0.0.0"])("at %s: a port that is taken, and free again", async (host) => {
    const { port, leave } = await takenPort(host);
    await expect(checkPlace(placeAt(host, port))).rejects.toMatchObject({
      code: "EADDRINUSE",
      port,
      setting: "listen",
    });
    await leave();
    await checkPlace(placeAt(host, port));
    const listener = createServer().listen(port, host);
    await once(listener, "listening");
    listener.close();
  });

  test("an address of another machine, and a name that is none", async () => {
    const ofOther = { code: "EADDRNOTAVAIL", address: "192.0.2.1", setting: "listen" };
    await expect(checkPlace(placeAt("192.0.2.1", 1_024))).rejects.toMatchObject(ofOther);
    await expect(checkPlace(placeAt("no-such-host.invalid", 1_024))).rejects.toMatchObject({ setting: "listen" });
  });

  test("and nobody who connects meanwhile is let in and cut off: a load balancer would not send the request again", async () => {
    const { port, leave } = await takenPort("127.0.0.1");
    await leave();
    const others = spawn(process.execPath, ["-e", connectAgainAndAgain, String(port)], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    await once(others.stdout, "data");
    for (let look = 0; look < 200; look++) await checkPlace(placeAt("127.0.0.1", port));
    others.stdin.end();
    const [connections] = await once(others.stdout, "data");
    expect(JSON.parse(String(connections))).toBe(0);
  });
});
