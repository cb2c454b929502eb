/** What is wrong with `admin.sign_in`: each fault with its path, all of them at once; and what follows where nothing is. */
import { describe, expect, it } from "vitest";
import { ConfigError } from "../../../../src/config/checks/faults.ts";
import { loadConfig } from "../../../support/load-config.ts";

const secret = "secret-of-usher-at-the-provider";
const good = {
  issuer: "https://sso.example.com/realms/staff",
  client_id: "usher",
  client_secret: secret,
  roles: [{ claim: "groups", value: "staff", role: "viewer" }],
};

const load = (admin: object, more: object = {}) =>
  loadConfig({
    document: { issuer: "https://queue.example.com", rooms: [{ id: "a" }], admin, ...more },
    env: {},
  });
async function faultsOf(admin: object, more?: object): Promise<Record<string, string>> {
  const error: unknown = await load(admin, more).catch((thrown: unknown) => thrown);
  if (!(error instanceof ConfigError)) return {};
  expect(JSON.stringify(error.faults) + error.message).not.toContain(secret);
  return Object.fromEntries(error.faults.map(({ path, message }) => [path, message]));
}
const signInFaults = async (changes: object, more?: object) => faultsOf({ sign_in: { ...good, ...changes } }, more);

it("is taken with its defaults: openid is always asked for, the secret is sent by Basic, and the address is the issuer's", async () => {
  const { config, warnings } = await load({ sign_in: { ...good, scopes: ["groups"] } });
  expect(config.admin).toMatchObject({
    url: "https://queue.example.com",
    signIn: {
      clientSecret: secret,
      tokenEndpointAuthMethod: "client_secret_basic",
      scopes: ["openid", "groups"],
      rules: [{ claim: "groups", value: "staff", role: "viewer" }],
    },
    fourEyes: [],
    session: { lifetimeMs: 12 * 3_600_000, idleMs: 3_600_000 },
  });
  // People can sign in, so nobody has to be told how; only where they had better do it.
  expect(warnings.filter((warning) => warning.startsWith("admin"))).toEqual([
    expect.stringMatching(/^admin\.sign_in: people sign in at the visitors' origin/),
  ]);
});

describe("faults", () => {
  it("are told all at once, each with its path, and never the secret", async () => {
    const faults = await faultsOf(
      {
        url: "http://usher.example.com/admin",
        listen: { host: "0.0.0.0", port: 3100 },
        session: { lifetime: "1m", idle: "2d" },
        sign_in: {
          issuer: "http://sso.example.com",
          client_id: "ush er",
          client_secret: { from: "envv", name: secret },
          token_endpoint_auth_method: "none",
          scopes: ["open id", 7],
          roles: [
            { claim: "groups", value: "a", role: "boss" },
            { claim: "", role: "viewer", rooms: [] },
            { claim: "groups", value: "b", role: "viewer", rooms: ["a", "b"], room: "a" },
          ],
          client_secrets: secret,
        },
      },
      {},
    );
    expect(Object.keys(faults).sort()).toEqual([
      "admin.session.idle",
      "admin.session.lifetime",
      "admin.sign_in.client_id",
      "admin.sign_in.client_secret",
      "admin.sign_in.client_secrets",
      "admin.sign_in.issuer",
      "admin.sign_in.roles[0].role",
      "admin.sign_in.roles[1].claim",
      "admin.sign_in.roles[1].rooms",
      "admin.sign_in.roles[1].value",
      "admin.sign_in.roles[2].room",
      "admin.sign_in.roles[2].rooms[1]",
      "admin.sign_in.scopes[0]",
      "admin.sign_in.scopes[1]",
      "admin.sign_in.token_endpoint_auth_method",
      "admin.url",
    ]);
  });

  it("of what is left out name each once", async () => {
    expect(await faultsOf({ sign_in: {} })).toEqual({
      "admin.sign_in.issuer": expect.stringContaining("required"),
      "admin.sign_in.client_id": expect.stringContaining("required"),
      "admin.sign_in.client_secret": expect.any(String),
      "admin.sign_in.roles": expect.stringContaining("required"),
    });
    expect(Object.keys(await signInFaults({ roles: [] }))).toEqual(["admin.sign_in.roles"]);
  });

  it.each([
    "",
    7,
    null,
    { from: "env", name: "NOT_SET" },
    { from: "file", path: "/nowhere/at/all" },
    { from: "elsewhere" },
  ])("of the secret %j are one", async (client_secret) => {
    expect(Object.keys(await signInFaults({ client_secret }))).toEqual(["admin.sign_in.client_secret"]);
  });
});
