/** Goal: no answer holds markup that came with its request, whatever its content type; browsers have taken other types for pages. */
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { endpoints } from "../../../src/web/openid-connect.ts";
import { ADMIN_KEY } from "../../support/gateway.ts";
import { registeredPaths } from "../spellings.ts";
import { clientId, clientSecret, memoryStore, redirectUri, useWorld } from "../world.ts";

const markup = "<script>alert(1)</script>'\"><img src=x>";
const raw = ["<script>alert(1)", "<img src=x>"];
const { operators, signIn, others } = registeredPaths("line");

const parameters = [
  ...["client_id", "redirect_uri", "response_type", "response_mode", "scope", "state", "nonce", "prompt", "display"],
  ...[
    "ui_locales",
    "login_hint",
    "id_token_hint",
    "claims",
    "request",
    "request_uri",
    "acr_values",
    "max_age",
    "resource",
  ],
  ...["code_challenge", "code_challenge_method", "room", "target_link_uri", "post_logout_redirect_uri", "logout_hint"],
  ...[
    "xsrf",
    "logout",
    "grant_type",
    "code",
    "code_verifier",
    "refresh_token",
    "token",
    "token_type_hint",
    "client_secret",
  ],
  ...[
    "client_assertion",
    "client_assertion_type",
    "link",
    "return",
    "edition",
    "position",
    "language",
    "number",
    "entry",
  ],
  ...[
    "return_to",
    "csrf_token",
    "logout_token",
    "key",
    "limit",
    "cursor",
    "from",
    "status",
    "issuer",
    "purpose",
    markup,
  ],
];
const accepts = ["text/html", "application/json", "*/*"];
const agent = new Agent({ keepAlive: true, maxSockets: 8 });

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** Sends it as it is, and answers head and body as they came. */
function ask(issuer: string, { method, path, headers = {}, body }: Asked): Promise<string> {
  const { port } = new URL(issuer);
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: "127.0.0.1", port, agent, method, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      // An Origin is allowed as it came (Fetch standard, section 3.2), and is in no browser's power to write.
      const { "access-control-allow-origin": _, ...rest } = response.headers;
      response.on("end", () => resolve(`${JSON.stringify(rest)}\n${Buffer.concat(chunks).toString("utf8")}`));
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** Those that come back with markup in them. */
async function findEchoes(issuer: string, all: readonly Asked[]): Promise<string[]> {
  const answers = await Promise.all(all.map(async (asked) => ({ asked, answer: await ask(issuer, asked) })));
  return answers
    .filter(({ answer }) => raw.some((each) => answer.includes(each)))
    .map(({ asked, answer }) => `${JSON.stringify(asked)}\n${answer}`);
}

const inTarget = (text: string) => text.replaceAll(" ", "%20");
const form = "application/x-www-form-urlencoded";

/** @param oneIn of the requests that are alike but for address, method, form or header, one in so many is made: a prime, so that it meets all of these */
export function describeEchoes(oneIn = 1): void {
  const world = useWorld(() => ({
    store: memoryStore,
    rooms: [{ id: "line" }, { id: "login" }],
    config: {
      admin: {
        sign_in: {
          // Nobody is there.
          issuer: "http://localhost:1",
          client_id: "usher",
          client_secret: "secret-of-usher-at-the-provider-0123456789",
          roles: [{ claim: "groups", value: "a", role: "viewer" }],
        },
      },
    },
  }));
  const echoesOf = (all: readonly Asked[]) => findEchoes(world().issuer, all);
  const some = (all: readonly Asked[]) => all.filter((_, index) => index % oneIn === 0);

  test("of an address", async () => {
    const asked = [...operators, ...signIn, ...others].flatMap((path) =>
      accepts.flatMap((accept) =>
        ["GET", "POST"].flatMap((method) => [
          {
            method,
            path: inTarget(`${path}?${parameters.map((name) => `${name}=${markup}`).join("&")}`),
            headers: { accept },
          },
          { method, path: inTarget(`${path}/${markup}`), headers: { accept } },
          // A path without a name in it says nothing, and the one of the events would go on for ever.
          ...(/line|x$/.test(path)
            ? [{ method, path: inTarget(path.replace(/line|x$/, markup)), headers: { accept } }]
            : []),
        ]),
      ),
    );
    const authorization = `Bearer ${ADMIN_KEY}`;
    const withKey = asked.map((each) => ({ ...each, headers: { ...each.headers, authorization } }));
    expect(await echoesOf(some([...asked, ...withKey]))).toEqual([]);
  });

  test("of a form or a JSON body", async () => {
    const fields = new URLSearchParams(Object.fromEntries(parameters.map((name) => [name, markup]))).toString();
    const authorizations = [
      `Bearer ${ADMIN_KEY}`,
      `Basic ${Buffer.from(`${clientId("line")}:${clientSecret("line")}`).toString("base64")}`,
      `Basic ${Buffer.from(`${encodeURIComponent(markup)}:x`).toString("base64")}`,
    ];
    const json = Object.fromEntries(parameters.map((name) => [name, markup]));
    const one = parameters.map((name) => ({ type: form, body: new URLSearchParams([[name, markup]]).toString() }));
    const all = [
      { type: form, body: fields },
      { type: "application/json", body: JSON.stringify(json) },
      { type: "application/json", body: JSON.stringify(markup) },
      { type: "application/json", body: markup },
      { type: inTarget(markup), body: "x" },
    ];
    const paths = [...operators, ...signIn, ...others];
    const asked = paths.flatMap((path) =>
      [...all, ...(endpoints.has(path) ? one : [])].flatMap(({ type, body }, index) => {
        const headers = {
          "content-type": type,
          accept: accepts[index % 3] ?? "",
          authorization: authorizations[index % authorizations.length] ?? "",
          "sec-fetch-site": "same-origin",
        };
        return ["POST", "PATCH"].map((method) => ({ method, path, headers, body }));
      }),
    );
    expect(await echoesOf(some(asked))).toEqual([]);
  });

  test("of headers", async () => {
    const names = [
      "host",
      "origin",
      "referer",
      "user-agent",
      "accept-language",
      "cookie",
      "x-forwarded-for",
      "x-forwarded-host",
    ];
    names.push(
      "x-forwarded-proto",
      "x-original-url",
      "x-forwarded-uri",
      "authorization",
      "idempotency-key",
      "x-request-id",
    );
    const asked = [...operators, ...signIn, ...others].flatMap((path) =>
      names.map((name, index) => ({
        method: "GET",
        path,
        headers: { accept: accepts[index % 3] ?? "", [name]: name === "authorization" ? `Bearer ${markup}` : markup },
      })),
    );
    expect(await echoesOf(some(asked))).toEqual([]);
  });

  test("of an authorization request, parked or answered, in any way it may be answered", async () => {
    const visitor = world().visitor();
    await world().admin.increment("login", 1);
    await world().relyingParty("login").login(visitor);
    const query = (changes: Record<string, string>) =>
      new URLSearchParams({
        client_id: clientId("login"),
        redirect_uri: redirectUri("login"),
        response_type: "code",
        scope: "openid",
        state: "s",
        nonce: "n",
        ...changes,
      }).toString();
    const queries = [
      ...parameters.map((name) => query({ [name]: markup })),
      ...["form_post", "query", "fragment"].map((response_mode) =>
        query({ state: markup, nonce: markup, response_mode }),
      ),
      ...["none", "login", "consent"].map((prompt) => query({ state: markup, prompt })),
      query({ state: markup, response_type: "token" }),
      query({ state: markup, scope: "profile" }),
      query({ state: markup, redirect_uri: `${redirectUri("login")}?${markup}` }),
    ];
    const names = ["usher-login", "usher.session", "usher.session.sig"];
    const cookies = names.map((name) => `${name}=${visitor.cookie(name)?.value}`).join("; ");
    expect(cookies).not.toContain("undefined");
    for (const cookie of ["", cookies]) {
      const asked = queries.flatMap((each, index) =>
        accepts
          .filter((_, at) => oneIn === 1 || at === index % accepts.length)
          .map((accept) => ({ method: "GET", path: `/authorize?${each}`, headers: { accept, cookie } })),
      );
      expect(await echoesOf(asked)).toEqual([]);
    }
  });

  test("of what is no request at all", async () => {
    const { port } = new URL(world().issuer);
    for (const text of [
      `GET / HTTP/1.1\r\nHost: a\r\n${markup}\r\n\r\n`,
      `${markup} / HTTP/1.1\r\n\r\n`,
      `GET ${markup} HTTP/1.1\r\nHost: a\r\n\r\n`,
      `GET /${inTarget(markup)} HTTP/9.9\r\n\r\n`,
      `GET / HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(3) +
        `POST /token HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc${markup}\r\n\r\n`,
      `GET / HTTP/1.1\r\nHost: a\r\nX: ${markup}${"x".repeat(70_000)}\r\n\r\n`,
      `POST /token HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${markup}\r\n`,
      `GET / HTTP/1.1\r\nHost: a\r\nExpect: ${markup}\r\n\r\n`,
      `GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: ${markup}\r\n\r\n`,
      `CONNECT ${inTarget(markup)}:443 HTTP/1.1\r\nHost: a\r\n\r\n`,
      `GET /nothing?${inTarget(markup)} HTTP/1.1\r\nHost: ${markup}\r\n\r\n`.repeat(5),
    ]) {
      const answer = await new Promise<string>((resolve) => {
        let told = "";
        const socket = connect(Number(port), "127.0.0.1", () => socket.end(text));
        socket.on("data", (chunk) => {
          told += chunk;
        });
        socket.on("error", () => undefined);
        socket.on("close", () => resolve(told));
      });
      for (const each of raw) expect(answer, text.slice(0, 80)).not.toContain(each);
    }
  });
}
