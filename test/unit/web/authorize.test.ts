import { createServer, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import type { Context } from "koa";
import { afterEach, expect, test } from "vitest";
import type { Gate } from "../../../src/oidc/index.ts";
import { createAuthorize, isAuthorize } from "../../../src/web/authorize.ts";

let stop = () => {};
afterEach(() => stop());

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers: NodeJS.Dict<string | string[]>;
}

/** The endpoint whose gate reads requests so; oidc-provider says "code". */
async function serve(read: (ctx: Context) => "answered" | "passed") {
  const steps: string[] = [];
  let count = 0;
  const answer = createAuthorize({
    begin: [
      (ctx) => {
        ctx.state.name = `request ${++count}`;
      },
      (ctx) => steps.push(`begin ${ctx.state.name}`),
    ],
    gate: { readRequest: async (ctx: Context) => read(ctx), visitSteps: [] as Gate["visitSteps"] } as Gate,
    entry: { claimSteps: [], sendTicket: () => undefined },
    provider: async (ctx) => {
      ctx.respond = false;
      ctx.res.end(`code for ${ctx.state.name}`);
    },
    renderError(ctx, error) {
      ctx.status = 500;
      ctx.body = { error: (error as Error).message };
    },
    observe: (ctx) => steps.push(`observed ${ctx.res.statusCode}`),
    onLost: (error) => steps.push(`lost ${(error as Error).message}`),
  });
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stop = () => server.close();
  const { port } = server.address() as AddressInfo;
  const get = (path: string, method = "GET") =>
    new Promise<Answer>((resolve, reject) => {
      send({ host: "127.0.0.1", port, path, method }, (response) => {
        let body = "";
        response.on("data", (chunk) => {
          body += chunk;
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body, headers: response.headers }));
      })
        .on("error", reject)
        .end();
    });
  return { get, steps };
}

test("what the gate writes itself is the answer", async () => {
  const { get, steps } = await serve((ctx) => {
    ctx.respond = false;
    ctx.res.writeHead(202).end(`parked ${ctx.querystring}`);
    return "answered";
  });
  expect(await get("/authorize?a=b")).toMatchObject({ status: 202, body: "parked a=b" });
  expect(steps).toEqual(["begin request 1", "observed 202"]);
});

test("what it leaves in the context is sent with its status, body and headers", async () => {
  const { get, steps } = await serve((ctx) => {
    ctx.status = 303;
    ctx.set("Location", "https://site.example/");
    ctx.res.setHeader("Set-Cookie", ["a=b", "c=d"]);
    ctx.body = "";
    return "answered";
  });
  const answer = await get("/authorize");
  expect(answer).toMatchObject({ status: 303, body: "", headers: { location: "https://site.example/" } });
  expect(answer.headers["set-cookie"]).toEqual(["a=b", "c=d"]);
  expect(steps).toEqual(["begin request 1", "observed 303"]);
});

test("a body is sent as text, as bytes, or as JSON, with its length; HEAD gets the length alone", async () => {
  const bodies = [{ state: "waiting", room: "Zürich" }, "Zürich", Buffer.from([0xe2, 0x82, 0xac])];
  const { get } = await serve((ctx) => {
    ctx.status = 200;
    ctx.body = bodies[Number(ctx.querystring)];
    return "answered";
  });
  expect(await get("/authorize?0")).toMatchObject({
    body: '{"state":"waiting","room":"Zürich"}',
    headers: { "content-type": "application/json; charset=utf-8", "content-length": "36" },
  });
  expect(await get("/authorize?1")).toMatchObject({ body: "Zürich", headers: { "content-length": "7" } });
  expect(await get("/authorize?2")).toMatchObject({ body: "€", headers: { "content-length": "3" } });
  expect(await get("/authorize?0", "HEAD")).toMatchObject({ body: "", headers: { "content-length": "36" } });
});

test("what passes the gate is oidc-provider's, with what the gate has set", async () => {
  const { get, steps } = await serve((ctx) => {
    ctx.res.setHeader("X-Gate", "passed");
    return "passed";
  });
  expect(await get("/authorize?a=b")).toMatchObject({
    status: 200,
    body: "code for request 1",
    headers: { "x-gate": "passed" },
  });
  expect(steps).toEqual(["begin request 1", "observed 200"]);
});

test("an error is rendered, and observed with its status", async () => {
  const { get, steps } = await serve(() => {
    throw new Error("broken");
  });
  expect(await get("/authorize?a=b")).toMatchObject({ status: 500, body: '{"error":"broken"}' });
  expect(steps).toEqual(["begin request 1", "observed 500"]);
});

test("an answer that cannot be written is 500, and told to the log", async () => {
  const { get, steps } = await serve((ctx) => {
    ctx.body = { toJSON: () => expect.fail("not JSON") };
    return "answered";
  });
  expect(await get("/authorize")).toMatchObject({ status: 500 });
  expect(steps).toEqual(["begin request 1", "lost not JSON"]);
});

test.each([
  ["GET", "/authorize", true],
  ["HEAD", "/authorize?a=b", true],
  ["POST", "/authorize", false],
  ["OPTIONS", "/authorize?a=b", false],
  ["GET", "/authorize?a=b#c", false],
  ["GET", "/authorize?a=\u00a0", false],
  ["GET", "/authorize/", false],
  ["GET", "/authorized", false],
  ["GET", "/Authorize", false],
  ["GET", "//authorize", false],
])("%s %s is answered here: %s", (method, url, isHere) => {
  expect(isAuthorize({ method, url })).toBe(isHere);
});
