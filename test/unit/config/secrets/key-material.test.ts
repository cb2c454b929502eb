import { execFile } from "node:child_process";
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { buildSync } from "esbuild";
import { calculateJwkThumbprint, importJWK, jwtVerify, SignJWT } from "jose";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ConfigError } from "../../../../src/config/checks/faults.ts";
import type { IssuerConfig, KeysConfig, SigningJwk, UsherConfig } from "../../../../src/config/config.ts";
import { loadKeyMaterial, loadKeysOfIssuers } from "../../../../src/config/secrets/key-material.ts";
import { publicJwk, readSigningKey } from "../../../../src/config/secrets/keys.ts";
import { readParts } from "../../../../src/config/settings-part.ts";
import { loadConfig } from "../../../support/load-config.ts";
import { nextRsaKey, nextRsaPem } from "../../../support/rsa-keys.ts";
import { createSeededRandom } from "../../../support/seeded-random.ts";

const NONE: KeysConfig = { tickets: [], signing: [], cookies: [] };
const run = promisify(execFile);
const random = createSeededRandom("keys");

let dir = "";
let file = "";

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "usher-keys-"));
  file = join(dir, "deep", ".usher", "secrets.json");
});

afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

function load(keys: KeysConfig = NONE) {
  return loadKeyMaterial({ keys, secretsFile: file }, random);
}

function place(content: string, mode = 0o600): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  chmodSync(file, mode);
}

/** Too short for any use. */
const shortPem = generateKeyPairSync("rsa", { modulusLength: 1_024 })
  .privateKey.export({ type: "pkcs8", format: "pem" })
  .toString();

describe("keys that nobody configured", () => {
  it("are made once and are the same after a restart", async () => {
    const first = await load();
    const second = await load();
    expect(first.createdNow).toBe(true);
    expect(second.createdNow).toBe(false);
    expect(second.keys).toEqual(first.keys);
    expect(first.warnings).toEqual([]);
    expect(second.warnings).toEqual([]);
  });

  it("are kept with mode 0600 in a directory of mode 0700, and nothing else is left there", async () => {
    await load();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
    expect(readdirSync(dirname(file))).toEqual(["secrets.json"]);
  });

  it("are strong and usable", async () => {
    const { keys } = await load();
    const [ticket] = keys.tickets;
    const [signing] = keys.signing;
    expect(ticket?.secret.length).toBeGreaterThanOrEqual(32);
    expect(keys.cookies[0]?.length).toBeGreaterThanOrEqual(32);
    expect(keys.cookies[0]).not.toBe(new TextDecoder().decode(ticket?.secret));
    expect(signing).toMatchObject({ kty: "RSA", alg: "RS256", use: "sig" });
    const privateKey = await importJWK({ ...signing });
    const token = await new SignJWT({}).setProtectedHeader({ alg: "RS256" }).sign(privateKey);
    const publicKey = await importJWK(publicJwk(signing as SigningJwk));
    await expect(jwtVerify(token, publicKey)).resolves.toBeDefined();
  });

  it("end the same in processes that start at once, and exactly one has made them", async () => {
    // Compiled once for all: a compiler each would take longer than what is asked of them.
    const script = join(dir, "make-keys.mjs");
    const source = fileURLToPath(new URL("../make-keys.ts", import.meta.url));
    buildSync({ entryPoints: [source], outfile: script, bundle: true, platform: "node", format: "esm" });
    const startAtMs = String(Date.now() + 1_000);
    const outcomes = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const { stdout } = await run(process.execPath, [script, file, startAtMs]);
        return JSON.parse(stdout) as { ids: string[]; createdNow: boolean };
      }),
    );
    expect(new Set(outcomes.map(({ ids }) => ids.join())).size).toBe(1);
    expect(outcomes.filter(({ createdNow }) => createdNow)).toHaveLength(1);
    expect(readdirSync(dirname(file))).toEqual(["secrets.json"]);
  }, 30_000);

  it("end the same in many starts at once within one process", async () => {
    const starts = await Promise.all(Array.from({ length: 8 }, () => load()));
    expect(new Set(starts.map(({ keys }) => keys.signing[0]?.kid)).size).toBe(1);
    expect(new Set(starts.map(({ keys }) => keys.tickets[0]?.kid)).size).toBe(1);
    expect(starts.filter(({ createdNow }) => createdNow)).toHaveLength(1);
  });
});

describe("keys of several issuers", () => {
  const beside = (host: string) => join(dirname(file), `secrets.${host}.json`);
  const issuerAt = (host: string, keys: KeysConfig = NONE) => {
    const themes = { usual: null, ofRooms: new Map(), ofClients: new Map(), ofLinks: new Map() };
    return {
      issuer: `https://${host}`,
      rooms: [],
      clients: [],
      keys,
      themes,
      parts: readParts([], {}, () => []),
      statusPage: { enabled: false, rooms: null },
      secretsFile: beside(host),
    };
  };
  const loadAll = (...issuers: IssuerConfig[]) =>
    loadKeysOfIssuers({ issuers, secretsFile: file } as unknown as UsherConfig, random);
  let [one, two] = [issuerAt(""), issuerAt("")];
  beforeEach(() => {
    [one, two] = [issuerAt("one.example"), issuerAt("two.example")];
  });

  it("are made once for each, none like another's, and are the same after a restart in any order", async () => {
    const first = await loadAll(one, two);
    const second = await loadAll(two, one);
    const [keysOfOne, keysOfTwo] = [first.byIssuer.get(one.issuer), first.byIssuer.get(two.issuer)];
    for (const purpose of ["tickets", "signing", "cookies"] as const) {
      expect(keysOfOne?.[purpose]).not.toEqual(keysOfTwo?.[purpose]);
      for (const { issuer } of [one, two]) {
        expect(second.byIssuer.get(issuer)?.[purpose]).toEqual(first.byIssuer.get(issuer)?.[purpose]);
      }
    }
    expect([first.isNewInstallation, second.isNewInstallation]).toEqual([true, false]);
    expect([...first.warnings, ...second.warnings]).toEqual([]);
    expect(readdirSync(dirname(file)).sort()).toEqual(["secrets.one.example.json", "secrets.two.example.json"]);
    expect(statSync(beside("two.example")).mode & 0o777).toBe(0o600);
  });

  it("are no new installation where one of them had keys before", async () => {
    await loadAll(one);
    expect((await loadAll(one, two)).isNewInstallation).toBe(false);
    const configured = issuerAt("three.example", { ...NONE, tickets: ["t".repeat(32)] });
    expect((await loadAll(configured, issuerAt("four.example"))).isNewInstallation).toBe(false);
  });

  it("are no new installation where a single issuer had keys before, whose file none of them takes", async () => {
    await load();
    expect((await loadAll(one, two)).isNewInstallation).toBe(false);
    expect(readdirSync(dirname(file))).toContain("secrets.one.example.json");
  });

  it("are a new installation to at least one of two processes that start at once", async () => {
    const starts = await Promise.all([loadAll(one, two), loadAll(two, one)]);
    expect(starts.some(({ isNewInstallation }) => isNewInstallation)).toBe(true);
    expect(starts[0].byIssuer.get(one.issuer)?.cookies).toEqual(starts[1].byIssuer.get(one.issuer)?.cookies);
  });

  it("are refused where one has another's for another algorithm", async () => {
    await loadAll(one);
    const [kept] = JSON.parse(readFileSync(beside("one.example"), "utf8")).signing as [string];
    const asPs256 = JSON.stringify({ ...createPrivateKey(kept).export({ format: "jwk" }), alg: "PS256" });
    const thief = issuerAt("two.example", { ...NONE, signing: [nextRsaPem(), asPs256] });
    await expect(loadAll(one, thief)).rejects.toThrow(/has a key that is also in .*secrets\.one\.example\.json/);
  });

  it("are refused where a file was copied to another issuer's name, and nothing is changed", async () => {
    await loadAll(one);
    const before = readFileSync(beside("one.example"), "utf8");
    writeFileSync(beside("two.example"), before, { mode: 0o600 });
    const refusal = await loadAll(one, two).catch((error: unknown) => error);
    expect(refusal instanceof ConfigError && refusal.faults).toEqual([
      {
        path: beside("two.example"),
        value: null,
        message: expect.stringMatching(
          /^has a key that is also in .*secrets\.one\.example\.json: each issuer needs its own\. .*move its secrets file away/,
        ),
      },
    ]);
    expect(readFileSync(beside("two.example"), "utf8")).toBe(before);
    rmSync(beside("two.example"));
    await expect(loadAll(one, two)).resolves.toMatchObject({ isNewInstallation: false });
  });

  it.each(["tickets", "signing", "cookies"] as const)(
    "are refused where the configuration of one names a kept key of another: %s",
    async (purpose) => {
      await loadAll(one);
      const kept = JSON.parse(readFileSync(beside("one.example"), "utf8"));
      const written =
        purpose === "signing"
          ? JSON.stringify(createPrivateKey(kept.signing[0]).export({ format: "jwk" }))
          : kept[purpose][0];
      const configured = issuerAt("two.example", { ...NONE, [purpose]: [written] });
      const refusal = await loadAll(configured, one).catch((error: unknown) => error);
      expect(refusal instanceof ConfigError && refusal.faults).toEqual([
        {
          path: beside("one.example"),
          value: null,
          message: expect.stringContaining(`also in keys.${purpose} of https://two.example: `),
        },
      ]);
      expect(String(refusal)).not.toContain(kept[purpose][0]);
    },
  );

  it("leave a single issuer's file as it is, say that it is not used, and take it where it was copied to", async () => {
    const { keys } = await load();
    const before = readFileSync(file, "utf8");
    writeFileSync(beside("one.example"), before, { mode: 0o600 });
    const { byIssuer, isNewInstallation, warnings } = await loadAll(one, two);
    expect(byIssuer.get(one.issuer)).toEqual(keys);
    expect(byIssuer.get(two.issuer)?.tickets).not.toEqual(keys.tickets);
    expect(isNewInstallation).toBe(false);
    expect(warnings).toEqual([expect.stringMatching(/^keys of https:\/\/two\.example were made now .* copy it/)]);
    expect(readFileSync(file, "utf8")).toBe(before);
  });
});

describe("a secrets file that stands in the way", () => {
  it.each([
    ["empty", ""],
    ["cut off", '{ "version": 1, "tickets": ["'],
    ["no JSON", "tickets: s3cret"],
    ["another version", JSON.stringify({ version: 2, tickets: [], signing: [], cookies: [] })],
    ["short keys", JSON.stringify({ version: 1, tickets: ["s3cret"], signing: ["s3cret"], cookies: ["s3cret"] })],
  ])("(%s) is an error and is not overwritten", async (_, content) => {
    place(content);
    const error = await load().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ConfigError);
    expect(String(error)).toContain(file);
    expect(String(error)).toContain("never overwrites");
    expect(String(error)).not.toContain("s3cret");
    expect(readFileSync(file, "utf8")).toBe(content);
  });

  it("(a directory) is an error", async () => {
    mkdirSync(file, { recursive: true });
    await expect(load()).rejects.toThrow(/EISDIR/);
  });

  it("(a link to nowhere) is an error", async () => {
    mkdirSync(dirname(file), { recursive: true });
    symlinkSync(join(dir, "nowhere"), file);
    await expect(load()).rejects.toThrow(/broken link/);
    expect(existsSync(join(dir, "nowhere"))).toBe(false);
  });

  it("(below something that is no directory) is an error that says what to do", async () => {
    writeFileSync(join(dir, "deep"), "");
    await expect(load()).rejects.toThrow(/ENOTDIR.*|USHER_SECRETS_FILE/);
  });

  it.each([0o640, 0o604, 0o660])(
    "open to others (mode %i) is read with a warning, and its mode is left alone",
    async (mode) => {
      const made = await load();
      chmodSync(file, mode);
      const { keys, warnings } = await load();
      expect(keys.tickets).toEqual(made.keys.tickets);
      expect(warnings).toEqual([`${file} holds private keys and is open to other users: chmod 600 ${file}`]);
      expect(statSync(file).mode & 0o777).toBe(mode);
    },
  );
});

describe("keys of the configuration", () => {
  const configured: KeysConfig = {
    tickets: ["t".repeat(32), "u".repeat(40)],
    signing: [nextRsaPem(), nextRsaPem()],
    cookies: ["c".repeat(32), "d".repeat(32)],
  };

  it("are used in their order, and no file is made", async () => {
    const { keys, createdNow } = await load(configured);
    expect(keys.tickets.map(({ secret }) => new TextDecoder().decode(secret))).toEqual(configured.tickets);
    expect(keys.signing.map(({ kid }) => kid)).toEqual(configured.signing.map((text) => readSigningKey(text).kid));
    expect(keys.cookies).toEqual(configured.cookies);
    expect(createdNow).toBe(false);
    expect(existsSync(file)).toBe(false);
  });

  it("go before those of the file, purpose by purpose", async () => {
    const { keys: made } = await load();
    const { keys } = await load({ ...NONE, tickets: configured.tickets });
    expect(keys.tickets).toHaveLength(2);
    expect(keys.signing).toEqual(made.signing);
    expect(keys.cookies).toEqual(made.cookies);
  });

  it("are not new just because other keys were made now", async () => {
    const { createdNow } = await load({ ...NONE, tickets: configured.tickets });
    expect(existsSync(file)).toBe(true);
    expect(createdNow).toBe(false);
  });

  it("have ids that follow from the key alone and say nothing of it", async () => {
    const one = await load(configured);
    const other = await load({ ...configured, tickets: [...configured.tickets].reverse() });
    expect(one.keys.tickets.map(({ kid }) => kid)).toEqual(other.keys.tickets.map(({ kid }) => kid).reverse());
    expect(new Set(one.keys.tickets.map(({ kid }) => kid)).size).toBe(2);
    for (const { kid } of one.keys.tickets) {
      expect(kid).toMatch(/^[\w-]{8}$/);
    }
    expect(one.keys.tickets[0]?.kid).not.toBe(
      createHash("sha256").update("t".repeat(32)).digest("base64url").slice(0, 8),
    );
  });

  it("may be PEM or JWK: the same key, the same id, a prefix of its RFC 7638 thumbprint", async () => {
    const privateKey = nextRsaKey();
    const jwk = privateKey.export({ format: "jwk" });
    const asPem = readSigningKey(privateKey.export({ type: "pkcs1", format: "pem" }).toString());
    expect(readSigningKey(JSON.stringify(jwk))).toEqual(asPem);
    expect((await calculateJwkThumbprint(publicJwk(asPem))).startsWith(asPem.kid)).toBe(true);
  });

  it.each([
    ["nothing of the kind", "s3cret"],
    [
      "another elliptic curve",
      generateKeyPairSync("ec", { namedCurve: "P-384" }).privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    ],
    ["a public key", createPublicKey(nextRsaPem()).export({ type: "spki", format: "pem" }).toString()],
    ["too short a key", shortPem],
    ["broken JSON", '{"kty":"RSA", s3cret'],
    ["JSON without a key", '{"kty":"RSA"}'],
  ])("refuses as signing key: %s", (_, text) => {
    expect(() => readSigningKey(text)).toThrow(/expected an RSA/);
    expect(() => readSigningKey(text)).not.toThrow(/s3cret/);
  });

  it("are checked while the configuration is loaded", async () => {
    const document = {
      issuer: "https://q.example",
      rooms: [{ id: "a" }],
      keys: { tickets: ["t".repeat(32), "t".repeat(32)], signing: [nextRsaPem(), shortPem] },
    };
    const error = await loadConfig({ document, env: {} }).catch((reason: unknown) => reason);
    expect(error instanceof ConfigError && error.faults).toEqual([
      { path: "keys.signing[1]", value: "(hidden)", message: "expected an RSA key of 2048 to 8192 bits" },
      { path: "keys.tickets[1]", value: "(hidden)", message: "the same key as keys.tickets[0]: keep one of the two" },
    ]);
  });
});
