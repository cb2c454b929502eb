/** Where people can sign in by the file, and what is said where they could not. */
import { describe, expect, test } from "vitest";
import { ConfigError } from "../../../../src/config/checks/faults.ts";
import { loadConfig } from "../../../support/load-config.ts";

const file = (admin: string, provider = "https://login.example.com") => `
issuer: https://queue.example.com
rooms: [{ id: tickets }]
clients: []
admin:
  ${admin}
  sign_in:
    issuer: ${provider}
    client_id: usher
    client_secret: a-long-enough-secret-for-usher
    roles: [{ claim: groups, value: box-office, role: box_office, rooms: [tickets] }]
`;
const load = (text: string) => loadConfig({ text, env: {} });
const faultsOf = async (text: string) => {
  const outcome = await load(text).catch((error: unknown) => error);
  return outcome instanceof ConfigError ? outcome.faults.map(({ path, message }) => `${path}: ${message}`) : [];
};

describe("the address at which browsers reach the operators' listener", () => {
  test.each([
    ["is the issuer's, without a listener of its own", "keys: []", "https://queue.example.com"],
    ["follows on this machine", "listen: { port: 3001 }", "http://localhost:3001"],
    ["follows on this machine by its address", 'listen: { host: "::1", port: 3001 }', "http://localhost:3001"],
    [
      "is as it is given",
      "url: https://usher.example.com\n  listen: { host: 0.0.0.0, port: 3001 }",
      "https://usher.example.com",
    ],
    ["is given where the port is any", "url: http://localhost:3002\n  listen: { port: 0 }", "http://localhost:3002"],
  ])("%s", async (_, admin, url) => {
    expect((await load(file(admin))).config.admin.url).toBe(url);
  });

  test.each(["listen: { host: 0.0.0.0, port: 3001 }", "listen: { port: 0 }", "listen: { host: 10.0.0.7, port: 3001 }"])(
    "has to be given with %s",
    async (listen) => {
      expect(await faultsOf(file(listen))).toEqual([
        expect.stringMatching(/^admin\.url: sign_in needs the address at which browsers reach admin\.listen/),
      ]);
    },
  );
});

test("the provider is another than Usher, and the rooms of a role are there", async () => {
  expect(await faultsOf(file("keys: []", "https://queue.example.com"))).toEqual([
    expect.stringMatching(/^admin\.sign_in\.issuer: is Usher itself/),
  ]);
  const elsewhere = file("keys: []").replace("rooms: [tickets] }]", "rooms: [ticket] }]");
  expect(await faultsOf(elsewhere)).toEqual([
    expect.stringMatching(/^admin\.sign_in\.roles\[0\]\.rooms\[0\]: .*tickets/),
  ]);
});

test("signing in at the visitors' origin is a warning, and at a listener of its own it is none", async () => {
  const warned = (await load(file("keys: []"))).warnings.filter((warning) => warning.startsWith("admin.sign_in"));
  expect(warned).toEqual([
    expect.stringMatching(
      /^admin\.sign_in: people sign in at the visitors' origin, https:\/\/queue\.example\.com, .*admin\.listen/,
    ),
  ]);
  const { warnings } = await load(file("listen: { port: 3001 }"));
  expect(warnings.filter((warning) => warning.startsWith("admin.sign_in"))).toEqual([]);
});
