/** Where a fault is in the text of a configuration, and what of the text is repeated. */
import { describe, expect, test } from "vitest";
import { ConfigError } from "../../../../src/config/checks/faults.ts";
import { loadConfig } from "../../../support/load-config.ts";

const head = "issuer: https://queue.example.com\n";
const rooms = `${head}rooms: [{ id: tickets }]\n`;

async function messageOf(text: string): Promise<string> {
  const outcome = await loadConfig({ text, file: "usher.yaml", env: {} }).catch((error: unknown) => error);
  if (!(outcome instanceof ConfigError)) throw new Error("no fault was found");
  return outcome.message;
}

test.each<[about: string, text: string, expected: string]>([
  [
    "a wrong value",
    `${head}rooms:\n  - id: tickets\n    inlet:\n      type: perodic # as before\n`,
    `  usher.yaml:5:13: rooms[0].inlet.type: "perodic": unknown inlet, did you mean periodic?; allowed: manual, periodic, max_active, adaptive
    5 |       type: perodic
      |             ^^^^^^^`,
  ],
  [
    "a key that there is not, of a mapping that takes many",
    `${head}rooms:\n  - id: tickets\n    titel: Tour\n`,
    `  usher.yaml:4:5: rooms[0].titel: "Tour": unknown key, did you mean title?
    4 |     titel: Tour
      |     ^^^^^`,
  ],
  [
    "one that is near to none",
    `${rooms}zebra: 1\n`,
    `  usher.yaml:3:1: zebra: 1: unknown key; docs/configuration.md lists the N that can stand here
    3 | zebra: 1
      | ^^^^^`,
  ],
  [
    "a line with more on it",
    `${head}rooms:\n  - { id: tickets, title: Tour, inlet: { type: periodic, outflow_per_minute: 0 } }\n`,
    `  usher.yaml:3:78: rooms[0].inlet.outflow_per_minute: 0: expected a whole number from 1 to 1000000
    3 |   - { …, inlet: { …, outflow_per_minute: 0 } }
      |                                          ^`,
  ],
  [
    "what is missing",
    `${head}rooms:\n  - id: tickets\n    inlet:\n      type: periodic\n`,
    `  usher.yaml:4:5: rooms[0].inlet.outflow_per_minute: missing: required: an inlet of type periodic needs outflow_per_minute or shared_outflow
    4 |     inlet:
      |     ^^^^^`,
  ],
])("%s is named with its line and column, and the line is shown", async (_, text, expected) => {
  expect(
    (await messageOf(text))
      .split("\n")
      .slice(1)
      .join("\n")
      .replace(/the \d+ that/, "the N that"),
  ).toBe(expected);
});

test("faults stand in the order of the text, behind those that have no place in it", async () => {
  const text = `${head}rooms:\n  - { id: B }\n  - { id: C }\nlog_level: loud\nzebra: 1\n`;
  const message = await messageOf(text);
  expect([...message.matchAll(/^ {2}usher\.yaml:(\d+):/gm)].map(([, line]) => line)).toEqual(["3", "4", "5", "6"]);
});

test("what is no YAML is named in the same way, and nothing of it is repeated", async () => {
  expect(await messageOf(`${head}rooms: [\nclient_secret: 5ecret\n`)).toMatch(
    /^usher\.yaml is not valid YAML:\n {2}usher\.yaml:\d+:\d+: [^:]+/,
  );
});

describe("no secret is repeated", () => {
  const secret = "5ecret-5ecret-5ecret-5ecret-5ecret";
  test.each([
    `${rooms}clients:\n  - { client_id: a, client_secrets: ${secret}, redirect_uris: [https://a.example.com/] }\n`,
    `${rooms}clients:\n  - { client_id: a, client_secret: ${secret}, redirect_uri: https://a.example.com/, room: tickets }\n`,
    `${rooms}clients:\n  - client_id: a # ${secret}\n    client_secret: { from: vault, id: ${secret} }\n    rooms: 1\n`,
    `${rooms}clients: { "${secret}": { client_secret: ${secret} } } # ${secret}\n`,
    `${rooms}clients: [&a { client_id: 1, client_secret: ${secret} }, *a] # ${secret}\n`,
    `${rooms}admin: { keys: [${secret}, { id: x, key_sha256: ${secret} }] }\n`,
    `${rooms}keys: { tickets: ["${secret}", {from: file, path: "${secret}"}], signing: ${secret} }\n`.replace(
      "path:",
      "pth:",
    ),
    `${rooms}store: { type: redis, url: "redis://:${secret}@host/path" }\n`,
    `${rooms}store: { type: redis, url: "redis://${secret}", passwort: ${secret} }\n`,
    `${rooms}clients:\n  - client_id: a\n    client_secret: |\n      ${secret}\n    profile: ngnix\n`,
  ])("of %j", async (text) => {
    const message = await messageOf(text);
    expect(message).toMatch(/^ {2}usher\.yaml:\d+:\d+: /m);
    expect(message).not.toContain("5ecret-5ecret");
  });
});

test("a line that is long, or steers a terminal, is shown in part and harmless", async () => {
  const message = await messageOf(
    `${head}rooms:\n  - id: tickets\n    title: "${"x".repeat(300)}\u009b31m"\n    tilte: \u009b31m\n`,
  );
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what steers a terminal
  expect(message).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u0080-\u009f]/);
  for (const line of message.split("\n").filter((each) => each.includes(" | "))) expect(line.length).toBeLessThan(120);
});

test("aliases that name each other cost nothing, and have the place where they are used", async () => {
  const layers = Array.from({ length: 2 }, (_, at) => `x${at + 1}: &a${at + 1} [*a${at}, *a${at}]\n`).join("");
  const faulty = `${rooms}x0: &a0 [1]\n${layers}listen: &l { port: no }\nadmin: { listen: *l }\n`;
  const message = await messageOf(faulty);
  expect(message).toMatch(/usher\.yaml:3:1: x0: /);
  expect(message).toMatch(/usher\.yaml:6:20: listen\.port: [\s\S]*usher\.yaml:7:10: admin\.listen\.port: /);
});
