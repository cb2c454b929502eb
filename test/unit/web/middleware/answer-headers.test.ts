import type { IncomingMessage, ServerResponse } from "node:http";
import Koa from "koa";
import request from "supertest";
import { expect, test } from "vitest";
import { answerHeadersOf, setAnswerHeaders } from "../../../../src/web/middleware/answer-headers.ts";
import { nothingHere } from "../../../../src/web/middleware/router.ts";
import { createStatusAnswer } from "../../../../src/web/visitor/status.ts";
import { createSharedWorld } from "../../room/processes.ts";

const issuer = "https://queue.example";
const everywhere = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  "strict-transport-security": "max-age=31536000",
};

function appWith(answer: Koa.Middleware) {
  const app = new Koa();
  app.use(setAnswerHeaders(issuer));
  app.use(answer);
  return request(app.callback());
}

test("an issuer with https tells browsers to stay with it for a year, and one without says nothing of it", () => {
  expect(answerHeadersOf(issuer)["Strict-Transport-Security"]).toBe("max-age=31536000");
  expect(answerHeadersOf("http://localhost:3000")).not.toHaveProperty("Strict-Transport-Security");
});

test("an answer has them, whatever it is, and a page's own policy takes the place of the general one", async () => {
  const json = await appWith((ctx) => {
    ctx.body = { error: "no_ticket" };
  }).get("/rooms/a/tickets/me");
  expect(json.headers).toMatchObject(everywhere);
  for (const name of ["server", "x-powered-by"]) expect(json.headers).not.toHaveProperty(name);
  const page = await appWith((ctx) => {
    ctx.set("Content-Security-Policy", "default-src 'self'");
    ctx.body = "page";
  }).get("/");
  expect(page.headers).toMatchObject({ ...everywhere, "content-security-policy": "default-src 'self'" });
});

test("a request is sent back to nobody (TRACE)", async () => {
  const refused = await appWith((ctx, next) =>
    Promise.resolve(nothingHere(ctx, next)).catch((error) => ctx.throw(error.status)),
  )
    .trace("/rooms/a/status")
    .set("cookie", "secret=1");
  expect([refused.status, refused.text.includes("secret")]).toEqual([404, false]);
});

test("what a proxy asks about a site's request says nothing of the site's own headers", async () => {
  for (const path of ["/rooms/a/verify", "/rooms/a/verify/page?x"]) {
    const { headers } = await appWith((ctx) => {
      ctx.body = {};
    }).get(path);
    for (const name of Object.keys(everywhere)) expect(headers, path).not.toHaveProperty(name);
  }
});

test("the status, which is answered before any framework, has them too", async () => {
  const process = createSharedWorld("answer headers").process("a", { isNewInstallation: true });
  await process.refresh();
  const answerStatus = createStatusAnswer({ get: () => process.room } as never, issuer);
  const listener = (asked: IncomingMessage, answer: ServerResponse) => {
    answerStatus(asked, answer);
  };
  const { headers, body } = await request(listener).get("/rooms/tickets/status");
  expect(headers).toMatchObject(everywhere);
  expect(body.phase).toBe("open");
});
