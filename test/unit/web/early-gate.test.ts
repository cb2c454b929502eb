import { createServer, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import Koa, { type Context, type Middleware } from "koa";
import { afterEach, expect, test } from "vitest";
import { createEarlyGate, heedEarlyGate, unlessEarly } from "../../../src/web/early-gate.ts";

let stop = () => {};
afterEach(() => stop());

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers: NodeJS.Dict<string | string[]>;
}

/** An application whose gate does this; behind it stands one that says "beyond". */
async function serve(gate: Middleware) {
  const told: string[] = [];
  const app = new Koa();
  let count = 0;
  const first: Middleware = (ctx, next) => {
    ctx.state.name = `request ${++count}`;
    return next();
  };
  app.use(unlessEarly(first));
  app.use(async (ctx, next) => {
    told.push(`chain ${ctx.state.name}`);
    try {
      await next();
    } catch (error) {
      ctx.status = 500;
      ctx.body = (error as Error).message;
    }
  });
  app.use(heedEarlyGate(gate));
  app.use((ctx) => {
    ctx.body = `beyond ${ctx.state.name}`;
  });
  const callback = app.callback();
  const answer = createEarlyGate({
    ...{ app, gate, first: [first], handle: (request, response) => void callback(request, response) },
    answered: (ctx: Context) => told.push(`early ${ctx.state.name}`),
  });
  const server = createServer((request, response) => {
    if (!answer(request, response)) void callback(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stop = () => server.close();
  const { port } = server.address() as AddressInfo;
  const ask = (path: string, method = "GET") =>
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
  return { ask, told };
}

test("what the gate writes itself is the answer, and Koa's chain does not run", async () => {
  const { ask, told } = await serve((ctx) => {
    ctx.respond = false;
    ctx.res.writeHead(202).end(`parked ${ctx.querystring}`);
  });
  expect(await ask("/authorize?a=b")).toMatchObject({ status: 202, body: "parked a=b" });
  expect(told).toEqual(["early request 1"]);
});

test("what it says by its context is said by the chain, with its status, body and headers, and asked once", async () => {
  let asked = 0;
  const { ask, told } = await serve((ctx) => {
    asked++;
    ctx.status = 303;
    ctx.set("Location", "https://site.example/");
    ctx.res.setHeader("Set-Cookie", ["a=b", "c=d"]);
    ctx.body = "";
  });
  const answer = await ask("/authorize");
  expect(answer).toMatchObject({ status: 303, body: "", headers: { location: "https://site.example/" } });
  expect(answer.headers["set-cookie"]).toEqual(["a=b", "c=d"]);
  expect([asked, told]).toEqual([1, ["chain request 1"]]);
});

test("what passes goes on behind the gate, as the same request, with what the gate has set", async () => {
  const { ask } = await serve((ctx, next) => {
    ctx.res.setHeader("X-Gate", "passed");
    return next();
  });
  expect(await ask("/authorize?a=b")).toMatchObject({
    status: 200,
    body: "beyond request 1",
    headers: { "x-gate": "passed" },
  });
});

test("what it throws is thrown in the chain", async () => {
  const { ask } = await serve(async () => {
    throw new Error("broken");
  });
  expect(await ask("/authorize?a=b")).toMatchObject({ status: 500, body: "broken" });
});

test.each([
  ["HEAD", "/authorize?a=b"],
  ["POST", "/authorize"],
  ["GET", "/authorize?a=b#c"],
  ["GET", "/authorized"],
  ["GET", "/other"],
])("%s %s goes through the chain alone", async (method, path) => {
  const { ask, told } = await serve((_, next) => next());
  expect((await ask(path, method)).status).toBe(200);
  expect(told).toEqual(["chain request 1"]);
});
