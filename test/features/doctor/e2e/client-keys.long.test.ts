// Long: each kind of key and of client; doctor.test.ts has a secret and a whole login.
/** Goal: the doctor tries clients that sign assertions where it is given their key, and says what it cannot try where it is not. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { exportJWK, exportPKCS8, generateKeyPair } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { memoryStore, useWorld } from "../../../e2e/world.ts";
import { clientOf, useDoctor } from "./run-doctor.ts";

const algs = ["ES256", "RS256", "EdDSA", "PS256"] as const;
const pairs = await Promise.all(algs.map((alg) => generateKeyPair(alg, { extractable: true })));
const publicKeys = await Promise.all(
  pairs.map(async ({ publicKey }, index) => ({
    ...(await exportJWK(publicKey)),
    kid: `key-${index}`,
    alg: algs[index],
  })),
);
const keyed = {
  client_secret: undefined,
  token_endpoint_auth_method: "private_key_jwt",
  jwks: { keys: publicKeys },
};
const world = useWorld(() => ({
  store: memoryStore,
  rooms: [
    { id: "sale", client: keyed },
    { id: "pushed", client: { ...keyed, require_pushed_authorization_requests: true } },
    { id: "pushing", client: { require_pushed_authorization_requests: true } },
    { id: "bound", client: { dpop_bound_access_tokens: true } },
  ],
}));
const doctor = useDoctor();
const file = () => ({ issuer: world().issuer, rooms: [{ id: "sale" }], clients: [clientOf("sale", keyed)] });
const run = (args: readonly string[] = []) => doctor.run(file(), ["--url", world().issuer, ...args]);
const keyFile = (name: string) => join(doctor.folder, name);

beforeAll(async () => {
  for (const [index, { privateKey }] of pairs.entries()) {
    await writeFile(keyFile(`${algs[index]}.pem`), await exportPKCS8(privateKey), { mode: 0o600 });
    const jwk = { ...(await exportJWK(privateKey)), kid: `key-${index}`, alg: algs[index] };
    await writeFile(keyFile(`${algs[index]}.json`), JSON.stringify(jwk), { mode: 0o600 });
  }
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  await writeFile(keyFile("other.pem"), await exportPKCS8(privateKey));
  await writeFile(keyFile("public.json"), JSON.stringify(publicKeys[0]));
  await writeFile(keyFile("none.pem"), "SECRET-TEXT that is no key");
  await writeFile(keyFile("large.pem"), "x".repeat(70_000));
});

test.each(["ES256.pem", "RS256.pem", "EdDSA.pem", "ES256.json", "PS256.json"])(
  "a key that is given (%s) is tried, in a whole login too",
  async (name) => {
    const { about, findings } = await run(["--client-key", `site-sale=${keyFile(name)}`]);
    expect(about("client")).toEqual(["ok: The key of site-sale is right."]);
    expect(about("whole login")).toEqual([expect.stringMatching(/^ok: .* goes well/)]);
    expect(about("logout")).toEqual([expect.stringMatching(/^ok: /)]);
    expect(JSON.stringify(findings)).not.toMatch(/PRIVATE|"d"/);
  },
);

test("without the key, the doctor says that neither it nor a whole login is tested", async () => {
  const { code, about } = await run();
  expect(about("client")).toEqual([expect.stringMatching(/^warning: .* is not tested.*--client-key site-sale=FILE/)]);
  expect(about("whole login")).toEqual([expect.stringMatching(/^warning: .*--client-key/)]);
  expect(about("login")).toEqual([expect.stringMatching(/^ok: /)]);
  expect(code).toBe(1);
});

describe("a client that has to push its requests", () => {
  const fileOf = (room: string, changes: object) => ({
    issuer: world().issuer,
    rooms: [{ id: room }],
    clients: [clientOf(room, { ...changes, require_pushed_authorization_requests: true })],
  });

  test.each([
    ["pushed", keyed, true],
    ["pushing", {}, false],
  ])("is tried (%s)", async (room, changes, isKeyed) => {
    const key = isKeyed ? ["--client-key", `site-${room}=${keyFile("ES256.pem")}`] : [];
    const { about } = await doctor.run(fileOf(room, changes), ["--url", world().issuer, ...key]);
    expect([...about("client"), ...about("login"), ...about("whole login"), ...about("logout")]).toEqual([
      expect.stringMatching(/^ok: /),
      expect.stringMatching(/^ok: /),
      expect.stringMatching(/^ok: .* goes well/),
      expect.stringMatching(/^ok: /),
    ]);
  });

  test("is not tried without its key, and a redirect URI that is not known is a fault", async () => {
    const without = await doctor.run(fileOf("pushed", keyed), ["--url", world().issuer]);
    expect(without.about("login")).toEqual([expect.stringMatching(/^warning: .*--client-key/)]);
    const other = { redirect_uris: ["https://elsewhere.example.test/cb"] };
    const unknown = await doctor.run(fileOf("pushing", other), ["--url", world().issuer]);
    expect(unknown.about("login")).toEqual([expect.stringMatching(/^fault: \/par answered 400 .*compare the client/)]);
  });
});

test("of a client with DPoP the secret and the begin of a login are tried, and the rest is not", async () => {
  const clients = [clientOf("bound", { dpop_bound_access_tokens: true })];
  const config = { issuer: world().issuer, rooms: [{ id: "bound" }], clients };
  const { about } = await doctor.run(config, ["--url", world().issuer]);
  expect(about("client")).toEqual(["ok: The secret of site-bound is right."]);
  expect(about("login")).toEqual([expect.stringMatching(/^ok: /)]);
  expect(about("whole login")).toEqual([expect.stringMatching(/^warning: .*DPoP/)]);
});

test("a key that the gateway does not know is a fault", async () => {
  const { code, about } = await run(["--client-key", `site-sale=${keyFile("other.pem")}`]);
  expect(about("client")).toEqual([expect.stringMatching(/^fault: .*does not take the key of site-sale: .*jwks_uri/)]);
  expect([code, about("whole login")]).toEqual([1, []]);
});

describe("is refused:", () => {
  test.each([
    ["what names no file", "site-sale", 2, /expected ID=FILE/],
    ["a client that there is not", "nobody=x.pem", 2, /no client of the file has the id nobody/],
    ["a file that is not there", "site-sale=/nowhere/key.pem", 1, /cannot be read \(ENOENT\)/],
    ["what is no key", "site-sale=none.pem", 1, /holds no key to sign with/],
    ["a public key", "site-sale=public.json", 1, /holds no key to sign with/],
    ["a large file", "site-sale=large.pem", 1, /larger than 65536 bytes/],
  ])("%s", async (_, given, code, words) => {
    const option = given.replace(/=(?!\/)/, `=${doctor.folder}/`);
    const refused = await run(["--client-key", option]);
    expect(refused).toMatchObject({ code, failure: expect.stringMatching(words) });
    expect(refused.failure).not.toContain("SECRET-TEXT");
  });

  test("a key for a client that has a secret", async () => {
    const config = { ...file(), clients: [clientOf("sale")] };
    const refused = await doctor.run(config, ["--client-key", `site-sale=${keyFile("ES256.pem")}`]);
    expect(refused).toMatchObject({ code: 2, failure: expect.stringMatching(/has no key, but client_secret_basic/) });
  });
});
