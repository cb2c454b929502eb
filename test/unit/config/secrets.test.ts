import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { resolveSecret } from "../../../src/config/secrets/resolve-secrets.ts";
import type { SecretSource } from "../../../src/config/secrets/secret-source.ts";
import { createSecretsManager } from "../../../src/config/secrets/secrets-manager.ts";
import { loadConfig } from "../../support/load-config.ts";

let dir = "";

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "usher-secrets-"));
});

afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
});

function write(name: string, content: string, mode: number): string {
  const file = join(dir, name);
  writeFileSync(file, content);
  chmodSync(file, mode);
  return file;
}

const secretsManager = createSecretsManager();
const resolve = (written: unknown, env = {}, baseDir = dir, ...sources: [SecretSource[]?]) =>
  resolveSecret(written, "current", { env, baseDir, secretsManager }, ...sources);

describe("secrets", () => {
  it("may stand literally", async () => {
    const secret = await resolve("literal");
    expect(secret).toEqual({ value: "literal", warnings: [] });
  });

  it("come from the environment that is passed in", async () => {
    const secret = await resolve({ from: "env", name: "SHOP" }, { SHOP: "from-env" });
    expect(secret).toEqual({ value: "from-env", warnings: [] });
  });

  it.each(["from-env\n", "from-env\r\n"])(
    "come from the environment without the line end that `echo` leaves: %j",
    async (SHOP) => {
      const secret = await resolve({ from: "env", name: "SHOP" }, { SHOP });
      expect(secret).toEqual({ value: "from-env", warnings: [] });
    },
  );

  it("that are nothing but a line end are not set", async () => {
    await expect(resolve({ from: "env", name: "SHOP" }, { SHOP: "\n" })).rejects.toThrow("SHOP is not set");
  });

  it.each([["from-file\n"], ["from-file\r\n"], ["from-file"]])(
    "come from a file, without its last newline: %j",
    async (content) => {
      write("plain", content, 0o600);
      const secret = await resolve({ from: "file", path: "plain" });
      expect(secret).toEqual({ value: "from-file", warnings: [] });
    },
  );

  it("keep every newline but the last", async () => {
    write("lines", "\na\nb\n\n", 0o600);
    const secret = await resolve({ from: "file", path: "lines" });
    expect(secret.value).toBe("\na\nb\n");
  });

  it.each([0o640, 0o604, 0o644, 0o666])("warn of a file that others can read (%i)", async (mode) => {
    const file = write("open", "from-file", mode);
    const { warnings } = await resolve({ from: "file", path: file }, {}, "/");
    expect(warnings).toEqual([`${file} can be read by other users: chmod 600 ${file}`]);
  });

  it.each<[unknown, RegExp]>([
    [undefined, /^required: text in quotes, or \{ from: env\|file/],
    [null, /^expected: text in quotes/],
    [12345, /^expected: text in quotes/],
    [["a"], /^expected: text in quotes/],
    ["", /^expected a secret of 1 to/],
    [{}, /^from: unknown source; allowed: env, file, aws_secrets_manager$/],
    [{ from: "vault", id: "x" }, /^from: unknown source; allowed: env, file, aws_secrets_manager$/],
    [{ from: "fil", path: "x" }, /did you mean file\?/],
    [{ from: "env" }, /needs name, as text/],
    [{ from: "env", name: 5 }, /needs name, as text/],
    [{ from: "env", nme: "X", name: "X" }, /^unknown key, did you mean name\?; allowed: from, name$/],
    [{ from: "env", name: "NOT_SET" }, /NOT_SET is not set/],
    [{ from: "env", name: "EMPTY" }, /EMPTY is not set/],
    [{ from: "env", name: "my s3cret" }, /is not the name of an environment variable/],
    [{ from: "env", name: "toString" }, /toString is not set/],
    [{ from: "file", path: "absent" }, /absent can't be read \(ENOENT\)/],
    [{ from: "file", path: "." }, /is not a file of at most|EISDIR/],
    [{ from: "file", path: "empty" }, /is empty/],
    [{ from: "file", path: "huge" }, /is not a file of at most 65536 bytes/],
  ])("refuse %j and say what is allowed", async (written, message) => {
    write("empty", "\n", 0o600);
    write("huge", "x".repeat(70_000), 0o600);
    const env: Record<string, string> = Object.assign(Object.create(null), { EMPTY: "" });
    await expect(resolve(written, env)).rejects.toThrow(message);
    await expect(resolve(written, env)).rejects.not.toThrow(/s3cret/);
  });

  it("take another source by registering it", async () => {
    const vault: SecretSource = {
      from: "vault",
      fields: ["path", "field"],
      fetch: async ({ path, field }) => ({ value: `${path}#${field}`, warnings: [] }),
    };
    const written = { from: "vault", path: "kv/usher", field: "key" };
    const secret = await resolve(written, {}, dir, [vault]);
    expect(secret.value).toBe("kv/usher#key");
  });

  it("are found relative to the configuration file, and their warnings name the place", async () => {
    write("shop.secret", "a-secret-in-a-file\n", 0o644);
    const text = `
issuer: https://q.example
rooms: [{ id: a }]
clients:
  - client_id: shop
    client_secret: { from: file, path: shop.secret }
    redirect_uris: [https://shop.example/cb]
    room: a
`;
    writeFileSync(join(dir, "usher.yaml"), text);
    const { config, warnings } = await loadConfig({ file: join(dir, "usher.yaml"), env: {} });
    expect(config.issuers[0]?.clients[0]?.clientSecret).toBe("a-secret-in-a-file");
    expect(warnings[0]).toMatch(/^clients\[0\]\.client_secret: .*shop\.secret can be read by other users/);
  });
});

describe("without secrets", () => {
  const document = (secret: unknown) => ({
    issuer: "https://queue.example.com",
    store: { type: "redis", url: secret },
    rooms: [{ id: "tickets", title: "Tickets" }],
    clients: [
      {
        client_id: "shop",
        client_secret: secret,
        redirect_uris: ["https://shop.example.com/callback"],
        room: "tickets",
      },
    ],
    keys: { tickets: [secret] },
  });

  it("whoever only looks is told of all other faults, and gets stand-ins that nobody has written", async () => {
    const nowhere = { from: "env", name: "NO_SUCH_VARIABLE" };
    await expect(loadConfig({ document: document(nowhere), env: {} })).rejects.toThrow("NO_SUCH_VARIABLE");
    const { config } = await loadConfig({ document: document(nowhere), env: {}, needsSecrets: false });
    const [issuer] = config.issuers;
    const values = [issuer?.clients[0]?.clientSecret, JSON.stringify(config.store), issuer?.keys.tickets];
    expect(new Set(values.map(String)).size).toBe(3);
    const literal = await loadConfig({ document: document("literal-secret"), env: {}, needsSecrets: false });
    expect(JSON.stringify(literal)).not.toContain("literal-secret");
    const faulty = { ...document(nowhere), colour: "red" };
    await expect(loadConfig({ document: faulty, env: {}, needsSecrets: false })).rejects.toThrow(
      /1 fault:[\s\S]*colour/,
    );
  });
});
