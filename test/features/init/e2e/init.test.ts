/** `usher init`: what it writes is a whole configuration, and a gateway serves it. */
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { PARTY_STARTS, START_PARTIES } from "../../../../src/features/init/configuration.ts";
import { readGuide } from "../../../support/guide.ts";
import { runUsher } from "../../../support/usher-command.ts";
import { redirectOf, useInit, variablesOf } from "./init-world.ts";

const { newPlace, init, tryGateway } = useInit();
const contents = (place: string) => readdir(place).catch(() => []);

describe.each(START_PARTIES)("for %s", (party) => {
  test("it writes what the guide says of the client", async () => {
    const place = newPlace();
    expect(await init(place, { "relying-party": party, ...redirectOf(party) })).toMatchObject({ code: 0, failure: "" });
    const { clients } = parse(await readFile(join(place, "usher.yaml"), "utf8"));
    const { client_id, client_secret, room, initiate_login_uri, ...rest } = clients[0];
    expect(readGuide(party).client()).toMatchObject(rest);
    expect(client_id).toBe(`tickets-${party}`);
  });

  test("usher check finds no fault, and the snippet is for this very client", async () => {
    const place = newPlace();
    const options = { issuer: "http://localhost:3000", "relying-party": party };
    expect((await init(place, { ...options, ...redirectOf(party) })).code).toBe(0);
    const env = await variablesOf(place);
    const checked = await runUsher(["check", join(place, "usher.yaml")], { env });
    expect(checked).toMatchObject({ code: 0, printed: expect.stringContaining("has no fault") });
    const { clients } = parse(await readFile(join(place, "usher.yaml"), "utf8"));
    const snippet = await readFile(join(place, PARTY_STARTS[party].fileName), "utf8");
    expect(snippet).toContain(options.issuer);
    expect(snippet).toContain(clients[0].client_id);
    expect(snippet).not.toContain(env.SITE_CLIENT_SECRET);
    const again = await runUsher(["snippet", party, "--config", join(place, "usher.yaml")]);
    expect(again.printed).toBe(snippet.trimEnd());
  });
});

test("a gateway starts with it, and a visitor gets through the line", () => tryGateway("nginx"));

describe("secrets", () => {
  test("are fresh, readable to their owner alone, and not printed", async () => {
    const [one, two] = [newPlace(), newPlace()];
    const { printed } = await init(one, { "relying-party": "nginx" });
    await init(two, { "relying-party": "nginx" });
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
    const { printed } = await init(place, { "relying-party": "nginx", store: "redis" });
    expect(printed).toContain("Set USHER_REDIS_URL");
    expect((await variablesOf(place)).USHER_REDIS_URL).toMatch(/^redis:/);
    expect(parse(await readFile(join(place, "usher.yaml"), "utf8")).store).toMatchObject({ type: "redis" });
  });
});

test("asks a person for what no option says, with the usual answers", async () => {
  const place = newPlace();
  const answers = [
    "https://queue.example.com",
    "cognito",
    "https://shop.example.com",
    "",
    "90",
    "",
    "https://login.test/in",
  ];
  const asked = await runUsher(["init", "--out", place], { answers });
  expect(asked).toMatchObject({ code: 0, failure: "" });
  expect(asked.asked).toHaveLength(7);
  expect(asked.asked[3]).toMatch(/\[tickets\]: $/);
  const { rooms, clients } = parse(await readFile(join(place, "usher.yaml"), "utf8"));
  expect(rooms).toEqual([{ id: "tickets", inlet: { type: "periodic", outflow_per_minute: 90 } }]);
  expect(clients[0].redirect_uris).toEqual(["https://login.test/in"]);
});

test("says all that is missing at once, where nobody can be asked", async () => {
  const refused = await runUsher(["init", "--out", newPlace()]);
  expect(refused.code).toBe(2);
  for (const flag of ["--issuer", "--relying-party", "--site"]) expect(refused.failure).toContain(`${flag} is missing`);
  // Only a user pool is asked for it, and none was chosen.
  expect(refused.failure).not.toContain("--redirect-uri");
});

test.each([
  [{ "relying-party": "caddy" }, 2, /--relying-party: expected one of alb/],
  [{ site: "https://shop.example.com/path" }, 2, /--site: expected an address without a path/],
  [{ site: "shop" }, 2, /--site: /],
  [{ rate: "0" }, 2, /--rate: expected a whole number/],
  [{ rate: "1e3", store: "disk" }, 2, /--rate: [\s\S]*--store: /],
  [{ "admin-port": "x" }, 2, /--admin-port: /],
  [{ "relying-party": "cognito" }, 2, /--redirect-uri is missing/],
  [{ issuer: "https://queue.example.com/path" }, 1, /issuer/],
  [{ issuer: 'https://x.test"\nlog_level: silent' }, 1, /issuer/],
  [{ issuer: "http://localhost:3100" }, 1, /3100|port/],
  [{ room: "No Room" }, 1, /rooms\[0\]\.id/],
  [{ "redirect-uri": "https://shop.example.com/#in" }, 1, /redirect_uris\[0\]/],
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
    await init(place, { "relying-party": "nginx" });
    const before = await variablesOf(place);
    await writeFile(join(place, "usher.yaml"), "mine");
    const args = ["--issuer", "https://queue.example.com", "--site", "https://shop.example.com", "--out", place];
    expect((await runUsher(["init", "--relying-party", "nginx", ...args, "--replace"])).code).toBe(0);
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
