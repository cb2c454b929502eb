/** Who gets the console's page and files, and under which rules a browser shows them. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { ADMIN_KEY } from "../../support/gateway.ts";
import { freePort } from "../../support/ports.ts";
import { memoryStore, useWorld } from "../world.ts";

const folder = fileURLToPath(new URL("../../../dist/browser/console/", import.meta.url));

const world = useWorld(() => ({ store: memoryStore, rooms: [{ id: "shop" }] }));

async function cookieOf(origin: string, address = origin): Promise<string> {
  const answer = await world().http.request(`${origin}/admin/sign-in/key`, {
    method: "POST",
    headers: { origin: address },
    body: new URLSearchParams({ key: ADMIN_KEY, return_to: "/console" }),
  });
  expect([answer.status, answer.headers.location]).toEqual([303, "/console"]);
  return (answer.setCookies[0] ?? "").split(";")[0] ?? "";
}

describe("the console", () => {
  test("sends strangers to sign in, and back to where they wanted to go", async () => {
    const { http, issuer } = world();
    for (const cookie of ["", `usher-session=${"x".repeat(43)}`]) {
      const { status, headers, body } = await http.get(`${issuer}/console?a=b%26c`, { cookie });
      expect([status, headers.location]).toEqual([302, "/admin/sign-in?return_to=%2Fconsole%3Fa%3Db%2526c"]);
      expect(body).not.toContain("/console/files");
    }
    const signIn = await http.get(`${issuer}/admin/sign-in?return_to=%2Fconsole%3Fa%3Db%2526c`);
    expect(signIn.body).toContain('value="/console?a=b%26c"');
  });

  test("shows its page under a policy that lets nothing in but its own files", async () => {
    const { http, issuer } = world();
    const { status, headers, body } = await http.get(`${issuer}/console`, { cookie: await cookieOf(issuer) });
    expect(status).toBe(200);
    const policy = String(headers["content-security-policy"]).split("; ");
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "connect-src 'self'",
        "frame-ancestors 'none'",
      ]),
    );
    expect(policy.join()).not.toMatch(/unsafe|https?:|\*/);
    expect(headers["x-frame-options"]).toBe("DENY");
    expect(headers["cache-control"]).toBe("no-store");
    // A translator would replace what the script keeps up to date: its figures would stand still.
    expect(body).toMatch(/<html [^>]*translate="no"/);
    expect(body).not.toMatch(/<style|style=|<script(?! type="module" src=)|\son\w+=/);
  });

  test("has files that never change, compressed for those who take that", async () => {
    const { http, issuer } = world();
    for (const name of readdirSync(folder)) {
      const { status, headers, body } = await http.get(`${issuer}/console/files/${name}`);
      expect([status, headers["cache-control"]]).toEqual([200, "public, max-age=31536000, immutable"]);
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(body).toBe(readFileSync(folder + name, "utf8"));
      const zipped = await fetch(`${issuer}/console/files/${name}`, { headers: { "accept-encoding": "gzip" } });
      expect(zipped.headers.get("content-encoding")).toBe("gzip");
      expect(await zipped.text()).toBe(body);
    }
    for (const name of ["console.js", "..%2f..%2fmain.js", "x"]) {
      expect((await http.get(`${issuer}/console/files/${name}`)).status, name).toBe(404);
    }
  });

  test("is at most 120 kB for a browser that loads it for the first time, and 20 kB for each screen that is opened later", () => {
    const names = readdirSync(folder);
    const weightOf = (name: string) => gzipSync(readFileSync(folder + name), { level: 9 }).length;
    const importedBy = (name: string) =>
      [...readFileSync(folder + name, "utf8").matchAll(/(?:from|import)\s?"\.\/([\w.-]+\.js)"/g)].map(
        ([, file = ""]) => file,
      );
    const first = names.filter((name) => /^console-\w+\.(js|css)$/.test(name));
    // The set grows while it is walked.
    const loaded = new Set(first);
    for (const name of loaded) if (name.endsWith(".js")) for (const file of importedBy(name)) loaded.add(file);
    // The first room brings the curves, and a browser its language.
    for (const name of names.filter((each) => /^(uPlot|[a-z]{2}-)/.test(each))) loaded.add(name);
    expect(first).toHaveLength(2);
    expect([...loaded].filter((name) => name.startsWith("uPlot"))).toHaveLength(1);
    expect([...loaded].reduce((sum, name) => sum + weightOf(name), 0)).toBeLessThan(120_000);

    const later = names.filter((name) => !loaded.has(name));
    expect(later.filter((name) => /-screen-/.test(name)).length).toBeGreaterThan(3);
    for (const name of later) expect(weightOf(name), name).toBeLessThan(20_000);
  });
});

describe("with a listener for operators", () => {
  const own = useWorld(async () => ({
    store: memoryStore,
    rooms: [{ id: "shop" }],
    config: { admin: { listen: { port: await freePort() } } },
  }));

  test("the console is there, and not at the public address", async () => {
    const { http, issuer, gateways } = own();
    const operators = gateways[0]?.operatorsOrigin ?? "";
    const cookie = await cookieOf(operators, operators.replace("127.0.0.1", "localhost"));
    expect((await http.get(`${operators}/console`, { cookie })).status).toBe(200);
    for (const path of ["/console", `/console/files/${readdirSync(folder)[0]}`]) {
      expect((await http.get(`${issuer}${path}`, { cookie })).status, path).toBe(404);
    }
  });
});
