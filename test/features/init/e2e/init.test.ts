/** `usher init`: what it writes is a whole configuration, and a gateway serves it. */
import { execFileSync } from "node:child_process";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { PARTY_STARTS, START_PARTIES, type StartParty } from "../../../../src/features/init/configuration.ts";
import { isForwardAuthProxy } from "../../../../src/features/snippets/forward-auth.ts";
import { FORWARD_AUTH_TEXTS } from "../../../../src/features/snippets/guide-texts.ts";
import { guideOf } from "../../../../src/features/snippets/render.ts";
import { howCalled } from "../../../../src/operate/commands/how-called.ts";
import { readGuide } from "../../../support/guide.ts";
import { findProgram } from "../../../support/processes.ts";
import { makeTls } from "../../../support/tls.ts";
import { runUsher } from "../../../support/usher-command.ts";
import { redirectOf, useInit, variablesOf } from "./init-world.ts";

const { newPlace, init, tryGateway } = useInit();
const contents = (place: string) => readdir(place).catch(() => []);

const guided = START_PARTIES.filter((party) => !isForwardAuthProxy(party));

test.each(guided)("for %s it writes what the guide says of the client", async (party) => {
  const place = newPlace();
  expect(await init(place, { "relying-party": party, ...redirectOf(party) })).toMatchObject({ code: 0, failure: "" });
  const { clients } = parse(await readFile(join(place, "usher.yaml"), "utf8"));
  const { client_id, client_secret, room, initiate_login_uri, ...rest } = clients[0];
  const [, guide = ""] = /relying-parties\/(.*)\.md$/.exec(guideOf(party)) ?? [];
  expect(readGuide(guide).client()).toMatchObject(rest);
  expect(client_id).toBe(`tickets-${party}`);
});

test.each(START_PARTIES.filter(isForwardAuthProxy))(
  "for %s it writes a room that forward authentication has",
  async (party) => {
    const place = newPlace();
    expect(await init(place, { "relying-party": party })).toMatchObject({ code: 0, failure: "" });
    const { rooms, clients, listen } = parse(await readFile(join(place, "usher.yaml"), "utf8"));
    expect(clients).toBeUndefined();
    expect(listen).toEqual({ host: "127.0.0.1", port: 3000, trusted_proxies: ["127.0.0.1"] });
    expect(rooms[0].targets).toEqual(["https://shop.example.com/", "https://shop.example.com/*"]);
    expect(await variablesOf(place)).not.toHaveProperty("SITE_CLIENT_SECRET");
  },
);

describe.each(START_PARTIES)("for %s", (party) => {
  test("usher check finds no fault, and the snippet is for this very client", async () => {
    const place = newPlace();
    const options = { issuer: "http://localhost:3000", "relying-party": party };
    expect((await init(place, { ...options, ...redirectOf(party) })).code).toBe(0);
    const env = await variablesOf(place);
    const checked = await runUsher(["check", join(place, "usher.yaml")], { env });
    expect(checked).toMatchObject({ code: 0, printed: expect.stringContaining("has no fault") });
    const { clients } = parse(await readFile(join(place, "usher.yaml"), "utf8"));
    const snippet = await readFile(join(place, PARTY_STARTS[party].fileName), "utf8");
    expect(snippet).toContain(isForwardAuthProxy(party) ? "/rooms/tickets/verify" : options.issuer);
    if (clients !== undefined) expect(snippet).toContain(clients[0].client_id);
    for (const secret of Object.values(env)) expect(snippet).not.toContain(secret);
    const again = await runUsher(["snippet", party, "--config", join(place, "usher.yaml")]);
    expect(again.printed).toBe(snippet.replace(/^<\?php\n/, "").trimEnd());
  });
});

test("a gateway starts with it, and a visitor gets through the line", () => tryGateway("nginx-plus"));
test("a gateway starts with it, and a proxy that asks sends a visitor to the room", () => tryGateway("nginx"));

describe("the named program takes what is written", () => {
  const text = async (party: StartParty, site: string) => {
    const place = newPlace();
    expect((await init(place, { "relying-party": party, site })).code).toBe(0);
    return [place, await readFile(join(place, PARTY_STARTS[party].fileName), "utf8")] as const;
  };
  const run = (command: string, ...args: string[]) => execFileSync(command, args, { encoding: "utf8", stdio: "pipe" });

  test("nginx -t, with TLS and without", async () => {
    for (const site of ["http://localhost:8080", "https://shop.example.test"]) {
      const [place, written] = await text("nginx", site);
      const tls = await makeTls(place, ["shop.example.test"]);
      const server = written
        .replace(/ssl_certificate \S+;/, `ssl_certificate ${tls.certificateFile};`)
        .replace(/ssl_certificate_key \S+;/, `ssl_certificate_key ${tls.keyFile};`);
      const file = join(place, "whole.conf");
      const folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
        (name) => `${name}_temp_path ${place}/${name};`,
      );
      await writeFile(
        file,
        `pid ${place}/nginx.pid;\nevents {}\nhttp {\naccess_log off;\n${folders.join("\n")}\n${server}\n}\n`,
      );
      expect(() =>
        run(findProgram("nginx") ?? "nginx", "-t", "-q", "-e", "stderr", "-p", place, "-c", file),
      ).not.toThrow();
      // What the guide's block has, line by line.
      for (const line of FORWARD_AUTH_TEXTS.nginx.filter((each) => !/http:\/\/|^[}\s]*$/.test(each)))
        expect(server).toContain(line.trim());
    }
  });

  test("Traefik's file has the guide's middleware, and routers that lead to it", async () => {
    const [, written] = await text("traefik", "https://shop.example.com");
    const { http } = parse(written);
    const guide = parse(FORWARD_AUTH_TEXTS.traefik.join("").replace("usher:3000", "127.0.0.1:3000"));
    expect(http.middlewares).toEqual(guide.http.middlewares);
    expect(http.routers.site).toEqual({
      rule: "Host(`shop.example.com`)",
      service: "site",
      middlewares: ["tickets"],
      tls: {},
    });
    expect(http.routers.webhooks.middlewares).toBeUndefined();
    expect(http.services.site.loadBalancer.servers).toEqual([{ url: "http://127.0.0.1:8080" }]);
  });

  test("the room's own id and a site without TLS are in it, even an id that YAML would read as something else", async () => {
    const place = newPlace();
    const options = { "relying-party": "traefik", room: "007", site: "http://localhost:8080" };
    expect((await init(place, options)).code).toBe(0);
    const { http } = parse(await readFile(join(place, "traefik.yaml"), "utf8"));
    expect(http.middlewares["007"].forwardAuth).toMatchObject({
      address: "http://127.0.0.1:3000/rooms/007/verify",
      addAuthCookiesToResponse: ["usher-007.admission"],
    });
    expect(http.routers.site).toEqual({ rule: "Host(`localhost`)", service: "site", middlewares: ["007"] });
  });

  test("WordPress's file is PHP that can be required", async () => {
    const [, written] = await text("wordpress", "https://shop.example.com");
    expect(written).toMatch(/^<\?php\n\/\/ .*\n(define\( '[A-Z_]+', .* \);\n)+$/);
  });
});

describe("its last words work where the reader stands", () => {
  const root =
    (...files: string[]) =>
    (file: string) =>
      files.includes(file);
  test.each([
    ["/home/kim/usher", "/home/kim/usher", root("/home/kim/usher/src/main.ts"), "clone", "node dist/main.js"],
    [
      "/home/kim/usher",
      "/home/kim/my sale",
      root("/home/kim/usher/src/main.ts"),
      "clone",
      "node ../usher/dist/main.js",
    ],
    ["/a b/usher", "/home", root("/a b/usher/src/main.ts"), "clone", "node '../a b/usher/dist/main.js'"],
    ["/app", "/app", root("/.dockerenv"), "container", "node /app/dist/main.js"],
    ["/app", "/work", root("/run/.containerenv"), "container", "node /app/dist/main.js"],
    ["/usr/lib/node_modules/usher", "/home/kim", root(), "package", "usher"],
    ["/usr/lib/usher", "/home/kim", root(), "package", "usher"],
    [
      "/home/kim/shop/node_modules/usher",
      "/home/kim/shop",
      root("/home/kim/shop/package.json"),
      "package",
      "npx usher",
    ],
  ])("%s, called in %s", (packageDir, currentDir, exists, where, command) => {
    expect(howCalled(packageDir, currentDir, exists)).toEqual({ where, command });
  });

  test("in a clone, line by line in a shell, but for the gateway that goes on", async () => {
    const place = newPlace();
    const { printed } = await init(place, { "relying-party": "caddy" });
    const [sourced = "", served = "", asked = ""] = [...printed.matchAll(/^ {2}(.*)$/gm)].map(([, line]) => line);
    expect([served, asked]).toEqual([
      `node dist/main.js serve ${place}/usher.yaml`,
      "node dist/main.js status --url http://127.0.0.1:3100",
    ]);
    const checked = served.replace(" serve ", " check ");
    const shown = execFileSync("sh", ["-ec", `${sourced}\n${checked}\nprintenv USHER_ADMIN_API_KEY`], {
      encoding: "utf8",
    });
    expect(shown).toMatch(/has no fault: 1 issuer, 1 room, 0 clients\.\n[0-9a-f]{64}\n$/);
  });
});

describe("secrets", () => {
  test("are fresh, readable to their owner alone, and not printed", async () => {
    const [one, two] = [newPlace(), newPlace()];
    const { printed } = await init(one, { "relying-party": "nginx-plus" });
    await init(two, { "relying-party": "nginx-plus" });
    expect((await stat(join(one, "usher.env"))).mode & 0o777).toBe(0o600);
    const [first, second] = [Object.values(await variablesOf(one)), Object.values(await variablesOf(two))];
    expect(new Set([...first, ...second]).size).toBe(4);
    const yaml = await readFile(join(one, "usher.yaml"), "utf8");
    for (const secret of first) {
      expect(secret).toMatch(/^[0-9a-f]{64}$/);
      expect(`${printed}${yaml}`).not.toContain(secret);
    }
  });

  test("of a Redis are in the file of secrets", async () => {
    const place = newPlace();
    const { printed } = await init(place, { "relying-party": "nginx-plus", store: "redis" });
    expect(printed).toContain("Set USHER_REDIS_URL");
    expect((await variablesOf(place)).USHER_REDIS_URL).toMatch(/^redis:/);
    expect(parse(await readFile(join(place, "usher.yaml"), "utf8")).store).toMatchObject({ type: "redis" });
  });
});

test("asks a person for what no option says, with the usual answers", async () => {
  const place = newPlace();
  const answers = [
    "https://queue.example.com",
    "NGINX",
    "cognito",
    "https://shop.example.com",
    "",
    "90",
    "",
    "https://login.test/in",
  ];
  const asked = await runUsher(["init", "--out", place], { answers });
  expect(asked).toMatchObject({ code: 0, failure: "" });
  expect(asked.asked).toHaveLength(8);
  expect(asked.asked[1]).toMatch(/nginx {9}nginx, open source\n[\s\S]*wordpress[\s\S]*\[nginx\]: $/);
  // What is not right is asked for again.
  expect(asked.asked[2]).toMatch(/^Expected one of nginx, nginx-plus, /);
  expect(asked.asked[4]).toMatch(/\[tickets\]: $/);
  const { rooms, clients } = parse(await readFile(join(place, "usher.yaml"), "utf8"));
  expect(rooms).toEqual([{ id: "tickets", inlet: { type: "periodic", outflow_per_minute: 90 } }]);
  expect(clients[0].redirect_uris).toEqual(["https://login.test/in"]);
});

test("says all that is missing at once, where nobody can be asked", async () => {
  const refused = await runUsher(["init", "--out", newPlace()]);
  expect(refused.code).toBe(2);
  for (const flag of ["--issuer", "--site"]) expect(refused.failure).toContain(`${flag} is missing`);
  expect(refused.failure).not.toContain("--relying-party");
  // Only a user pool has one that nobody else knows.
  expect(refused.failure).not.toContain("--redirect-uri");
});

test.each([
  [{ "relying-party": "haproxy" }, 2, /--relying-party: expected one of nginx, nginx-plus, /],
  [{ site: "https://shop.example.com/path" }, 2, /--site: expected an address without a path/],
  [{ site: "shop" }, 2, /--site: /],
  [{ rate: "0" }, 2, /--rate: expected a whole number/],
  [{ rate: "1e3", store: "disk" }, 2, /--rate: [\s\S]*--store: /],
  [{ "admin-port": "x" }, 2, /--admin-port: /],
  [{ "relying-party": "cognito" }, 2, /--redirect-uri is missing/],
  [{ issuer: "https://queue.example.com/path" }, 2, /--issuer: expected an address without a path/],
  [{ issuer: 'https://x.test"\nlog_level: silent' }, 2, /--issuer: /],
  [{ issuer: "http://queue.example.com" }, 1, /issuer/],
  [{ issuer: "http://localhost:3100" }, 1, /3100|port/],
  [{ room: "No Room" }, 2, /--room: expected 1 to 32 characters/],
  [{ "relying-party": "alb", "redirect-uri": "https://shop.example.com/#in" }, 1, /redirect_uris\[0\]/],
] as [Record<string, string>, number, RegExp][])("writes nothing with %j", async (options, code, failure) => {
  const place = newPlace();
  const refused = await init(place, { "relying-party": "nginx", ...options });
  expect(refused).toMatchObject({ code, printed: "", failure: expect.stringMatching(failure) });
  expect(await contents(place)).toEqual([]);
});

describe("a file that is there", () => {
  test.each(["usher.yaml", "usher.env", "nginx.conf"])("%s is kept, and nothing is written", async (name) => {
    const place = newPlace();
    await init(place, { "relying-party": "nginx" });
    const others = ["usher.yaml", "usher.env", "nginx.conf"].filter((each) => each !== name);
    for (const other of others) await rm(join(place, other));
    await writeFile(join(place, name), "mine");
    const refused = await init(place, { "relying-party": "nginx" });
    expect(refused).toMatchObject({ code: 1, failure: expect.stringContaining(`${join(place, name)}: there already`) });
    expect(await contents(place)).toEqual([name]);
    expect(await readFile(join(place, name), "utf8")).toBe("mine");
  });

  test("is replaced with --replace, whose secrets are readable to their owner alone", async () => {
    const place = newPlace();
    await init(place, { "relying-party": "nginx-plus" });
    const before = await variablesOf(place);
    await writeFile(join(place, "usher.yaml"), "mine");
    const args = ["--issuer", "https://queue.example.com", "--site", "https://shop.example.com", "--out", place];
    expect((await runUsher(["init", "--relying-party", "nginx-plus", ...args, "--replace"])).code).toBe(0);
    expect((await variablesOf(place)).SITE_CLIENT_SECRET).not.toBe(before.SITE_CLIENT_SECRET);
    expect((await stat(join(place, "usher.env"))).mode & 0o777).toBe(0o600);
    expect((await contents(place)).sort()).toEqual(["nginx.conf", "usher.env", "usher.yaml"]);
  });

  test("is one of two that are made at the same time, and belongs to one of them", async () => {
    const place = newPlace();
    const runs = await Promise.all([1, 2].map(() => init(place, { "relying-party": "nginx" })));
    expect(runs.map(({ code }) => code).sort()).toEqual([0, 1]);
    expect((await contents(place)).sort()).toEqual(["nginx.conf", "usher.env", "usher.yaml"]);
  });
});

test("says what is wrong with a folder that cannot be written", async () => {
  const refused = await init("/dev/null/there", { "relying-party": "nginx" });
  expect(refused).toMatchObject({ code: 1, failure: expect.stringContaining("ENOTDIR") });
});
