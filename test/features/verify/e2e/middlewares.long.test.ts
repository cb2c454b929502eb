// Long: sites on three frameworks, and programs of AWS; test/features/verify/unit/gate.test.ts has the rules.
/** The middlewares of usher/verify in real Express, Koa and Fastify, and the examples for AWS, with tokens of a real gateway. */
import { execFile } from "node:child_process";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import express from "express";
import fastify from "fastify";
import Koa from "koa";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type AdmissionGateOptions,
  expressAdmission,
  fastifyAdmission,
  koaAdmission,
  type SiteAdmission,
  type WithAdmission,
} from "../../../../src/features/verify/package/index.ts";
import { memoryStore, startWorld, type World } from "../../../e2e/world.ts";
import { freePort } from "../../../support/ports.ts";

const secret = "a-secret-of-the-site-of-32-chars";
const run = promisify(execFile);

/** Starts a site that tells what its middleware found. @returns what ends it */
type StartSite = (options: AdmissionGateOptions, port: number) => Promise<() => unknown>;
const tell = (admission: unknown) => ({ sub: (admission as SiteAdmission | null)?.sub ?? null });

const sites: Record<string, StartSite> = {
  async express(options, port) {
    const app = express();
    app.use(expressAdmission(options));
    app.use((_request, response) => {
      response.json(tell(response.locals.admission));
    });
    const server = app.listen(port);
    return () => server.close();
  },
  async koa(options, port) {
    const app = new Koa({ env: "test" });
    app.use(koaAdmission(options));
    app.use((ctx) => {
      ctx.body = tell(ctx.state.admission);
    });
    const server = createServer(app.callback()).listen(port);
    return () => server.close();
  },
  async fastify(options, port) {
    const app = fastify();
    app.addHook("onRequest", fastifyAdmission(options));
    app.all("/*", async (request) => tell((request as WithAdmission).admission));
    await app.listen({ port, host: "::" });
    return () => app.close();
  },
};

describe("usher/verify in a site", () => {
  let world: World;
  const origins: Record<string, string> = {};
  const stopped = [] as (() => unknown)[];

  beforeAll(async () => {
    const names = [...Object.keys(sites), "aws"];
    // Cookies know no ports, so a site has a name of its own.
    for (const name of names) origins[name] = `http://127.0.0.1:${await freePort()}`;
    const rooms = names.map((id) => ({ id, settings: { targets: [`${origins[id]}/`, `${origins[id]}/*`] } }));
    world = await startWorld({ store: memoryStore, rooms });
    stopped.push(() => world.stop());
    const exempt = (path: string) => path.startsWith("/webhooks/");
    for (const [room, start] of Object.entries(sites)) {
      const site = origins[room] ?? "";
      stopped.push(await start({ issuer: world.issuer, room, site, secret, exempt }, Number(new URL(site).port)));
    }
  });
  afterAll(async () => {
    for (const stop of stopped.reverse()) await stop();
  });

  test.each(Object.keys(sites))(
    "%s: a deep link waits in the room, comes back clean, and the session stays",
    async (room) => {
      const site = origins[room] ?? "";
      const visitor = world.visitor();
      const parked = await visitor.navigate(`${site}/products/7?a=%20b`);
      expect([parked.url.origin, parked.position]).toEqual([world.issuer, 1]);
      await world.admin.increment(room, 1);
      const page = await visitor.waitInLine(parked);
      const own = { sub: expect.stringMatching(`^${room}\\.`) };
      expect([page.status, page.url.href, page.json()]).toEqual([200, `${site}/products/7?a=%20b`, own]);
      const posted = await visitor.fetch(`${site}/api/cart`, { method: "POST", body: { a: 1 } });
      expect([posted.status, posted.json()]).toEqual([200, page.json()]);
      expect((await visitor.navigate(`${site}/`)).redirects).toEqual([]);
    },
  );

  test.each(Object.keys(sites))(
    "%s: a script without a session gets 401 with the way to the room, and one with a token a session",
    async (room) => {
      const site = origins[room] ?? "";
      const visitor = world.visitor();
      const refused = await visitor.fetch(`${site}/api/cart`, { method: "POST", body: {} });
      const enter = `${world.issuer}/rooms/${room}/enter?target=${encodeURIComponent(`${site}/api/cart`)}`;
      expect([refused.status, refused.header("www-authenticate"), refused.json()]).toEqual([
        401,
        `Bearer realm="${room}"`,
        { error: "admission_required", error_description: expect.any(String), enter },
      ]);
      await world.admin.increment(room, 1);
      const handed = await visitor.login(`${world.issuer}/rooms/${room}/enter?target=${site}/`, {
        stopAt: ({ origin }) => origin === site,
      });
      const token = handed.location?.searchParams.get("usher_token");
      const checked = await visitor.fetch(`${site}/api/session?usher_token=${token}`);
      expect([checked.status, checked.json()]).toEqual([200, { sub: expect.stringMatching(`^${room}\\.`) }]);
      expect((await visitor.fetch(`${site}/api/cart`)).json()).toEqual(checked.json());
      // The link is used up: it lets in nobody else.
      const friend = await world.visitor().fetch(`${site}/api/session?usher_token=${token}`);
      expect(friend.status).toBe(401);
      const webhook = await world.http.request(`${site}/webhooks/payment`, { method: "POST", body: {} });
      expect([webhook.status, webhook.json()]).toEqual([200, { sub: null }]);
      const trick = await world.http.get(`${site}//evil.example/?usher_token=x`, { accept: "text/html" });
      expect(trick.header("location")).toBe(
        `${world.issuer}/rooms/${room}/enter?target=${encodeURIComponent(`${site}/evil.example/`)}`,
      );
    },
  );

  /** Runs an example as AWS would: one instance, one event after the other. @returns what it answered, or the message of its error */
  async function invoke(
    example: string,
    events: readonly object[],
    env: Record<string, string> = {},
  ): Promise<unknown[]> {
    const url = new URL(`../../../../examples/${example}`, import.meta.url);
    const program = `
      const { handler } = await import(${JSON.stringify(url.href)});
      const answers = [];
      for (const event of ${JSON.stringify(events)}) {
        answers.push(await handler(event).catch((error) => ({ error: error.message })));
      }
      console.log(JSON.stringify(answers));`;
    const { stdout } = await run(process.execPath, ["--input-type=module", "-e", program], {
      cwd: fileURLToPath(new URL("../../../../", import.meta.url)),
      env: { PATH: process.env.PATH, ISSUER: world.issuer, ROOM: "aws", SITE: origins.aws, SECRET: secret, ...env },
    });
    return JSON.parse(stdout) as unknown[];
  }

  async function appToken(): Promise<string> {
    const tickets = `${world.issuer}/rooms/aws/tickets`;
    const { ticket } = (await world.http.request(tickets, { method: "POST" })).json() as { ticket: string };
    await world.admin.increment("aws", 1);
    const headers = { authorization: `Bearer ${ticket}` };
    const ask = () => world.http.request(`${tickets}/me/token`, { method: "POST", headers });
    await expect.poll(async () => (await ask()).status).toBe(200);
    return ((await ask()).json() as { token: string }).token;
  }

  test("API Gateway: the authorizer lets in who has a token, as HTTP and REST APIs ask", async () => {
    const token = await appToken();
    // "Payload format version" 2.0, https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-lambda-authorizer.html
    const http = (authorization?: string) => ({
      version: "2.0",
      type: "REQUEST",
      routeArn: "arn:aws:execute-api:us-east-1:123456789012:abcdef123/test/GET/request",
      identitySource: authorization === undefined ? null : [authorization],
      routeKey: "$default",
      rawPath: "/my/path",
      rawQueryString: "parameter1=value1",
      headers: { header1: "value1", ...(authorization !== undefined && { authorization }) },
      requestContext: {
        accountId: "123456789012",
        apiId: "api-id",
        http: { method: "POST", path: "/my/path", sourceIp: "192.0.2.1" },
      },
    });
    // "Input to an API Gateway Lambda authorizer", https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-lambda-authorizer-input.html
    const methodArn = "arn:aws:execute-api:us-east-1:123456789012:abcdef123/test/GET/request";
    const rest = (authorizationToken: string) => ({ type: "TOKEN", authorizationToken, methodArn });
    const withHeaders = { type: "REQUEST", methodArn, headers: { Authorization: `Bearer ${token}` } };
    const altered = `Bearer ${token.slice(0, -8)}AAAAAAAA`;
    const answers = await invoke("api-gateway-authorizer.mjs", [
      http(`Bearer ${token}`),
      http(),
      http(altered),
      rest(`Bearer ${token}`),
      rest(altered),
      withHeaders,
    ]);
    const sub = expect.stringMatching(/^aws\./);
    const context = { sub, room: "aws", admitted_via: "queue", queue_position: expect.any(Number) };
    const resource = "arn:aws:execute-api:us-east-1:123456789012:abcdef123/test/*";
    const policyDocument = {
      Version: "2012-10-17",
      Statement: [{ Action: "execute-api:Invoke", Effect: "Allow", Resource: resource }],
    };
    expect(answers).toEqual([
      { isAuthorized: true, context },
      { isAuthorized: false },
      { isAuthorized: false },
      { principalId: sub, policyDocument, context },
      { error: "Unauthorized" },
      { principalId: sub, policyDocument, context },
    ]);
    // Without keys it says neither yes nor no.
    const away = { ISSUER: `http://127.0.0.1:${await freePort()}` };
    expect(await invoke("api-gateway-authorizer.mjs", [http(`Bearer ${token}`)], away)).toEqual([
      { error: "the admission token is refused: keys_unavailable" },
    ]);
  });

  test("CloudFront: the viewer request goes to the room, comes back with a session, and passes", async () => {
    const site = origins.aws ?? "";
    type Headers = Record<string, string>;
    // "Example viewer request", https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/lambda-event-structure.html
    const event = (uri: string, querystring = "", named: Headers = {}, method = "GET") => {
      const all = { Host: "d111111abcdef8.cloudfront.net", "User-Agent": "curl/7.66.0", accept: "*/*", ...named };
      const headers = Object.fromEntries(
        Object.entries(all).map(([key, value]) => [key.toLowerCase(), [{ key, value }]]),
      );
      const config = { distributionDomainName: "d111111abcdef8.cloudfront.net", distributionId: "EDFDVBD6EXAMPLE" };
      const more = {
        eventType: "viewer-request",
        requestId: "4TyzHTaYWb1GX1qTfsHhEqV6HUDd_BzoBZnwfnvQc_1oF26ClkoUSEQ==",
      };
      const request = { clientIp: "203.0.113.178", headers, method, querystring, uri };
      return { Records: [{ cf: { config: { ...config, ...more }, request } }] };
    };
    const asPage = { accept: "text/html", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
    const visitor = world.visitor();
    await world.admin.increment("aws", 1);
    const stopAt = ({ origin }: URL) => origin === site;
    const handed = await visitor.login(`${world.issuer}/rooms/aws/enter?target=${site}/`, { stopAt });
    const token = handed.location?.searchParams.get("usher_token");
    const [toRoom, begun, again, script, exempt, long] = (await invoke("cloudfront-viewer-request.mjs", [
      event("/products/7", "a=b", asPage),
      event("/products/7", `a=b&usher_token=${token}`, asPage),
      event("/products/7", `a=b&usher_token=${token}`, asPage),
      event("/api/cart", "", {}, "POST"),
      event("/assets/a.css", "", { "X-Usher-Sub": "somebody" }),
      event(`/${"x".repeat(17_000)}`),
    ])) as {
      status: string;
      statusDescription: string;
      headers: Record<string, { key: string; value: string }[]>;
      body: string;
    }[];
    const enter = `${world.issuer}/rooms/aws/enter?target=${encodeURIComponent(`${site}/products/7?a=b`)}`;
    const value = (answer: typeof begun, name: string) => answer?.headers[name]?.[0]?.value;
    expect([toRoom?.status, toRoom?.statusDescription, toRoom?.headers.location]).toEqual([
      "303",
      "See Other",
      [{ key: "Location", value: enter }],
    ]);
    expect([begun?.status, value(begun, "location")]).toEqual(["303", `${site}/products/7?a=b`]);
    expect(value(again, "location")).toBe(enter);
    expect([script?.status, value(script, "www-authenticate"), JSON.parse(script?.body ?? "")]).toMatchObject([
      "401",
      'Bearer realm="aws"',
      { error: "admission_required" },
    ]);
    expect(exempt).toMatchObject({
      uri: "/assets/a.css",
      headers: { "x-usher-sub": [{ key: "X-Usher-Sub", value: "" }] },
    });
    expect(long?.status).toBe("414");

    const cookie = value(begun, "set-cookie")?.split(";")[0] ?? "";
    const second = await visitor.login(`${world.issuer}/rooms/aws/enter?target=${site}/`, { stopAt });
    const next = second.location?.searchParams.get("usher_token");
    const [passed, forged] = (await invoke("cloudfront-viewer-request.mjs", [
      event("/products/7", "a=b", { Cookie: `x=y; ${cookie}`, "X-Usher-Sub": "somebody", "X-Usher-Position": "1" }),
      event("/products/7", "", { Cookie: `${cookie}x` }),
    ])) as [{ headers: Record<string, { value: string }[]>; uri: string; querystring: string }, { status: string }];
    expect([passed.uri, passed.querystring, passed.headers["x-usher-sub"]?.[0]?.value]).toEqual([
      "/products/7",
      "a=b",
      expect.stringMatching(/^aws\./),
    ]);
    expect(forged.status).toBe("401");
    // A script's request comes again, with its method, and without the token.
    if (next === null || next === undefined) throw new Error("a second login has a token, too");
    const [seen] = (await invoke("cloudfront-viewer-request.mjs", [
      event("//api/session", `usher_token=${next}&a=b`, {}, "POST"),
    ])) as (typeof begun)[];
    expect([seen?.status, value(seen, "location")]).toEqual(["307", "/api/session?a=b"]);
    expect(value(seen, "set-cookie")).toContain("usher-aws.session=");
  });
});
