/** A page of another site, opened in the browser of an operator who is signed in, changes nothing and is no frame. All routes are asked, by the description of the interface. */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { ADMIN_KEY } from "../../support/gateway.ts";
import type { HttpResponse } from "../../support/http-client.ts";
import { memoryStore, useWorld } from "../world.ts";

interface Described {
  readonly security?: readonly object[];
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
}

const { paths } = JSON.parse(readFileSync(new URL("../../../docs/openapi.json", import.meta.url), "utf8")) as {
  paths: Record<string, Record<string, Described>>;
};
const routes = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => ({ method: method.toUpperCase(), path, ...described })),
);
const changing = ["POST", "PUT", "PATCH", "DELETE"];
const changes = routes.filter(({ method, path }) => path.startsWith("/admin/") && changing.includes(method));
/** Those that a session may ask for; the others are asked by who is not signed in yet, or by a provider. */
const ofSession = changes.filter(({ security = [] }) => security.length > 0);
const pages = routes.filter(
  ({ method, path, responses }) =>
    method === "GET" && /^\/(admin|console)(\/|$)/.test(path) && responses[200]?.content?.["text/html"] !== undefined,
);

const world = useWorld(() => ({ store: memoryStore, rooms: [{ id: "shop" }] }));
const named = (path: string) =>
  path
    .replace("{room}", "shop")
    .replace("{client}", "site-shop")
    .replace("{page}", "waiting")
    .replaceAll(/\{\w+\}/g, "x");

let cookie = "";
let token = "";
beforeAll(async () => {
  const { http, issuer } = world();
  const { status, setCookies } = await http.request(`${issuer}/admin/sign-in/key`, {
    method: "POST",
    headers: { origin: issuer },
    body: new URLSearchParams({ key: ADMIN_KEY }),
  });
  expect(status).toBe(303);
  cookie = (setCookies[0] ?? "").split(";")[0] ?? "";
  token = ((await http.get(`${issuer}/admin/session`, { cookie })).json() as { csrf_token: string }).csrf_token;
});

/** All that requests may change. */
async function everything(): Promise<string> {
  const answers = [];
  for (const path of ["/rooms/shop", "/rooms", "/clients", "/keys", "/api-keys", "/webhooks", "/sessions"]) {
    const answer = await world().admin.request("GET", path);
    expect(answer.status, path).toBe(200);
    answers.push(answer.body.replaceAll(/"(last_used_at|last_seen_at|updated_at|expires_at)":"[^"]*"/g, ""));
  }
  return answers.join("\n");
}

describe("a change that a session may ask for", () => {
  // First: of refusals an address has some rows at once, and then few.
  test("has a row with the person whose session it was where it is refused, also for signing out", async () => {
    const { http, issuer, admin } = world();
    const foreign = { cookie, origin: "https://evil.example", "x-csrf-token": token };
    for (const [path, headers] of [
      ["/admin/rooms/shop/end", foreign],
      ["/admin/rooms/shop/pause", { ...foreign, origin: issuer, "x-csrf-token": "wrong" }],
      ["/admin/sign-out", foreign],
      ["/admin/sign-out", { ...foreign, origin: issuer, "x-csrf-token": "wrong" }],
    ] as const) {
      expect((await http.request(issuer + path, { method: "POST", headers })).status).toBe(403);
    }
    const { principal } = (await http.get(`${issuer}/admin/session`, { cookie })).json() as {
      principal: { id: string };
    };
    const { rows } = (await admin.request("GET", "/audit?result=refused")).json() as {
      rows: { route: string; principal: { id: string } | null }[];
    };
    expect(rows.map((row) => [row.route, row.principal?.id])).toEqual([
      ["/sign-out", principal.id],
      ["/sign-out", principal.id],
      ["/rooms/:room/pause", principal.id],
      ["/rooms/:room/end", principal.id],
    ]);
  });

  test("is refused without the token, with a wrong one, and from another origin, at every route, and nothing is changed", async () => {
    const { http, issuer } = world();
    const own = { cookie, origin: issuer, "x-csrf-token": token };
    const foreign: Record<string, Record<string, string>> = {
      "no token": { cookie, origin: issuer },
      "a wrong token": { ...own, "x-csrf-token": `${token.slice(0, -1)}_` },
      "another origin": { ...own, origin: "https://evil.example" },
      "an origin that is hidden": { ...own, origin: "null" },
      "another site": { cookie, "x-csrf-token": token, "sec-fetch-site": "cross-site" },
      "a page of the same site on another port": { cookie, "x-csrf-token": token, "sec-fetch-site": "same-site" },
    };
    expect(ofSession.length).toBeGreaterThan(30);
    const before = await everything();
    for (const { method, path } of ofSession) {
      for (const [what, headers] of Object.entries(foreign)) {
        const { status, body } = await http.request(issuer + named(path), { method, headers, body: {} });
        const told = `${what}: ${method} ${path} answered ${status} ${body}`;
        expect([status, body.includes('"error":"forbidden"')], told).toEqual([403, true]);
      }
    }
    expect(await everything()).toBe(before);

    // The same, from the operators' own page.
    const paused = await http.request(`${issuer}/admin/rooms/shop/pause`, { method: "POST", headers: own, body: {} });
    expect(paused.status, paused.body).toBe(200);
    expect(await everything()).not.toBe(before);
  });

  test("cannot be sent as a form, which a page of another site may send with the cookie", async () => {
    const { http, issuer } = world();
    const before = await everything();
    for (const { method, path } of ofSession.filter((route) => route.method === "POST")) {
      const body = new URLSearchParams({ "x-csrf-token": token, csrf_token: token });
      const headers = { cookie, origin: "https://evil.example" };
      const answer = await http.request(issuer + named(path), { method, headers, body });
      expect([400, 403, 415], `${path} answered ${answer.status}`).toContain(answer.status);
    }
    expect(await everything()).toBe(before);
  });
});

test("a form of the operators' pages is taken from these pages alone", async () => {
  const { http, issuer } = world();
  const forms = changes.filter(
    ({ security = [], path }) => security.length === 0 && !path.endsWith("/back-channel-logout"),
  );
  expect(forms.map(({ path }) => path).sort()).toEqual([
    "/admin/debug-link",
    "/admin/sign-in/key",
    "/admin/sign-in/link",
    "/admin/sign-out",
  ]);
  for (const { method, path } of forms) {
    const body = new URLSearchParams({ key: ADMIN_KEY, token: "x".repeat(43) });
    for (const headers of [
      { cookie, origin: "https://evil.example" },
      { cookie, "sec-fetch-site": "cross-site" },
    ]) {
      const answer = await http.request(issuer + path, { method, headers, body });
      expect([path, answer.status, answer.setCookies]).toEqual([path, 403, []]);
    }
  }
  expect((await http.get(`${issuer}/admin/rooms`, { cookie })).status).toBe(200);
});

test("no page of operators is shown in a frame of others, kept, sniffed, or tells others where it was", async () => {
  const { http, issuer } = world();
  expect(pages.map(({ path }) => path)).toEqual(
    expect.arrayContaining([
      "/console",
      "/console/rooms/{room}",
      "/admin/sign-in",
      "/admin/sign-in/link",
      "/admin/debug-link",
    ]),
  );
  await http.request(`${issuer}/rooms/shop/tickets`, { method: "POST" });
  const link = await world().admin.request("POST", "/rooms/shop/visitors/1/debug-link", {});
  const debugLink = (link.json() as { url: string }).url;
  const shown = new Set<string>();
  for (const { path } of pages) {
    const answers: HttpResponse[] = [
      await http.get(issuer + named(path), { cookie }),
      await http.get(issuer + named(path)),
      await http.get(path === "/admin/debug-link" ? debugLink : `${issuer}${named(path)}?return_to=%2Fconsole`, {
        cookie,
      }),
    ];
    for (const answer of answers) {
      if (!String(answer.headers["content-type"]).startsWith("text/html")) continue;
      shown.add(path);
      const policy = String(answer.headers["content-security-policy"]).split("; ");
      // The console shows a visitor's page, which runs nothing, in a frame of its own.
      const isSample = path.endsWith("/pages/{page}");
      const ancestors = `frame-ancestors '${isSample ? "self" : "none"}'`;
      expect(policy, path).toEqual(expect.arrayContaining(["default-src 'none'", ancestors]));
      expect(policy.join(), path).not.toMatch(/unsafe|\*/);
      expect(answer.headers, path).toMatchObject({
        "x-frame-options": isSample ? "SAMEORIGIN" : "DENY",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        // Of a form's page the origin is told: browsers send `Origin: null` otherwise.
        "referrer-policy": expect.stringMatching(/^(no-referrer|same-origin|strict-origin)$/),
      });
    }
  }
  // Where there is an admin key, there is no link to sign in by.
  expect(pages.map(({ path }) => path).filter((path) => !shown.has(path))).toEqual(["/admin/sign-in/link"]);
});

/** NDJSON is UTF-8 by its specification. */
const textTypes = /charset=utf-8|^image\/|^application\/x-ndjson$/;

test("the answer whose bytes are counted has a type that no browser takes for another, and numbers alone", async () => {
  const { http, issuer } = world();
  const pace = routes.find(({ method, path }) => method === "GET" && path.endsWith("/pace"));
  const { headers, body } = await http.get(issuer + named(pace?.path ?? ""));
  expect(headers["content-type"]).toBe("application/json");
  expect(body).toMatch(/^\["[\w-]{5}"(?:,(?:-?[\d.]+|null|[[\]\d.,]+))+\]$/);
});

test("no answer is taken for another type than it says, or shown in a frame of others", async () => {
  const { http, issuer } = world();
  const isStream = ({ responses }: Described) => responses[200]?.content?.["text/event-stream"] !== undefined;
  const asked = routes.filter(
    (route) =>
      route.method === "GET" &&
      !route.path.endsWith("/verify") &&
      // Its bytes are counted: see createStatusAnswer.
      !route.path.endsWith("/pace") &&
      route.path !== "/authorize" &&
      !isStream(route),
  );
  expect(asked.length).toBeGreaterThan(60);
  for (const { path } of asked) {
    for (const authorization of [{}, { authorization: `Bearer ${ADMIN_KEY}` }]) {
      const { headers } = await http.get(issuer + named(path), authorization);
      expect(headers["x-content-type-options"], path).toBe("nosniff");
      const policy = headers["content-security-policy"];
      expect(policy, path).toContain("default-src 'none'");
      // Workers have policies of their own, by which they load nothing.
      if (!path.endsWith(".js")) expect(policy, path).toMatch(/frame-ancestors '(none|self)'/);
      if (headers["content-length"] !== "0") expect(headers["content-type"], path).toMatch(textTypes);
    }
  }
});
