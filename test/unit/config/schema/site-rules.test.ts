import { describe, expect, it } from "vitest";
import { ConfigError } from "../../../../src/config/checks/faults.ts";
import { readRoomDocument } from "../../../../src/config/index.ts";
import { loadConfig } from "../../../support/load-config.ts";

const document = (rules: unknown) => ({
  issuer: "https://queue.example.com",
  rooms: [{ id: "tickets", rules }],
});
const faulty = [
  { name: "a", action: "queue", when: 'ip.src.country eq "DE" and http.host ~ "x"' },
  { name: "b", action: "let", triggers: [{ TriggerParts: [{ ValidatorType: "UserAgent", Operator: "Is" }] }] },
];

async function faultsOf(rules: unknown): Promise<string[]> {
  try {
    await loadConfig({ document: document(rules), env: {} });
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults.map(({ path, value, message }) => `${path}: ${value}: ${message}`);
  }
}

describe("rules of a room in a configuration", () => {
  it("are there as they were written, and are none where the file has none", async () => {
    const rules = [
      {
        name: "sale",
        action: "queue",
        triggers: [
          {
            LogicalOperator: "Or",
            TriggerParts: [{ ValidatorType: "UserAgent", Operator: "Contains", ValueToCompare: "a" }],
          },
        ],
      },
      { name: "rest", action: "ignore" },
    ];
    const { config } = await loadConfig({ document: document(rules), env: {} });
    expect(config.issuers[0]?.rooms[0]?.waysIn.rules).toEqual(rules);
    for (const none of [undefined, null]) {
      const { config: without } = await loadConfig({ document: document(none), env: {} });
      expect(without.issuers[0]?.rooms[0]?.waysIn.rules ?? null).toBeNull();
    }
  });

  it("have all faults told at once: where, in which column, and what to do", async () => {
    expect(await faultsOf(faulty)).toEqual([
      expect.stringMatching(
        /^rooms\[0\]\.rules\[0\]\.when: "ip\.src\.country .*: column 1: ip\.src\.country: Usher knows no countries/,
      ),
      expect.stringMatching(
        /^rooms\[0\]\.rules\[0\]\.when: .*: column 38: ~ has no equal here: no pattern of yours is run/,
      ),
      'rooms[0].rules[1].action: "let": expected one of queue, bypass, ignore',
      'rooms[0].rules[1].triggers[0].TriggerParts[0].Operator: "Is": expected one of Equals, Contains, EqualsAny, ContainsAny',
      expect.stringMatching(
        /^rooms\[0\]\.rules\[1\]\.triggers\[0\]\.TriggerParts\[0\]\.ValueToCompare: missing: expected a text/,
      ),
    ]);
    for (const none of [[], {}, "x", 7])
      expect(await faultsOf(none)).toEqual([expect.stringContaining("rooms[0].rules: ")]);
  });

  it("are warned about where they compare an address that no proxy says", async () => {
    const rules = [{ name: "office", when: "ip.src in {192.0.2.1}", action: "bypass" }];
    const warnings = async (more: object) =>
      (await loadConfig({ document: { ...document(rules), ...more }, env: {} })).warnings;
    const words = expect.stringContaining("rooms[0].rules: they compare the visitor's address");
    expect(await warnings({})).toContainEqual(words);
    expect(await warnings({ listen: { trusted_proxies: ["10.0.0.1"] } })).not.toContainEqual(words);
  });

  it("free pages to which visitors are sent who find no line", async () => {
    const settings = {
      when_ended: { redirect: "https://shop.example.com/bye" },
      targets: ["https://shop.example.com/*"],
    };
    const warnings = async (rules?: object[]) => {
      const rooms = [{ id: "tickets", ...settings, ...(rules && { rules }) }];
      return (await loadConfig({ document: { issuer: "https://queue.example.com", rooms }, env: {} })).warnings;
    };
    const words = expect.stringContaining("when_ended.redirect: is one of the room's targets");
    const checkout = { name: "checkout", when: 'http.request.uri.path eq "/checkout"', action: "queue" };
    expect(await warnings()).toContainEqual(words);
    expect(await warnings([checkout])).toContainEqual(words);
    expect(await warnings([checkout, { name: "rest", action: "ignore" }])).not.toContainEqual(words);
  });

  it("are warned about", async () => {
    const { warnings } = await loadConfig({ document: document([{ name: "a", action: "queue" }]), env: {} });
    expect(warnings).toContainEqual(expect.stringContaining("rooms[0].rules: all of them queue"));
  });

  it("are those of a room that is made at run time, too", () => {
    const place = { issuer: "https://queue.example.com", languages: [], stores: [] };
    const read = readRoomDocument({ id: "made", rules: faulty }, place);
    expect("faults" in read && read.faults.map(({ path }) => path)).toEqual([
      "rules[0].when",
      "rules[0].when",
      "rules[1].action",
      "rules[1].triggers[0].TriggerParts[0].Operator",
      "rules[1].triggers[0].TriggerParts[0].ValueToCompare",
    ]);
    const rules = [{ name: "rest", action: "ignore" }];
    expect(readRoomDocument({ id: "made", rules }, place)).toMatchObject({ room: { waysIn: { rules } } });
  });
});
