/** The form of a room's settings: made from the schema, with what would change, and local times of the room's zone. */
import { describe, expect, it } from "vitest";
import { settingsChange } from "../../../../src/config/index.ts";
import { DOCUMENT_KEYS, room } from "../../../../src/config/schema/room-schema.ts";
import { membersOf } from "../../../../src/config/schema/settings-codec.ts";
import {
  changesIn,
  type Drafts,
  faultsByField,
  fingerprintOf,
  type Layers,
  overtaken,
  patchOf,
  pathsOf,
} from "../../../../src/operate/console/forms/draft.ts";
import {
  linksText,
  markdownText,
  rangesInLine,
  readLinks,
  readMarkdownTexts,
  rulesInLine,
  siteRulesInLine,
  textOf,
} from "../../../../src/operate/console/forms/field.ts";
import { texts } from "../../../../src/operate/console/forms/texts.ts";
import { exactTime, instantsOf, isZone, localOf } from "../../../../src/operate/console/forms/zones.ts";
import { speechFor } from "../../../../src/operate/console/frame/speech.ts";
import { meaningOf } from "../../../../src/operate/console/settings/meanings.ts";
import { settingName, valueInLine } from "../../../../src/operate/console/settings/names.ts";
import { entriesOf, zoneOf } from "../../../../src/operate/console/settings/room-settings.ts";
import { settingsTable } from "../../../../src/operate/console/settings/settings-table.ts";

const entries = entriesOf(settingsTable);
const entryAt = (path: string) => {
  const entry = entries.find(({ field }) => field.path === path);
  if (entry === undefined) throw new Error(`no setting ${path}`);
  return entry;
};
const pathsOfSchema = (members: ReturnType<typeof membersOf>) =>
  (members ?? []).flatMap(([key, member]) => membersOf(member)?.map(([name]) => `${key}.${name}`) ?? [key]);

const layers: Layers = {
  file: {
    title: "Shop",
    inlet: { type: "periodic", outflow_per_minute: 600, gate: null },
    schedule: { opens_at: "2027-03-01T10:00:00+01:00", time_zone: "Europe/Berlin" },
    joins_per_address: { per_minute: 600, burst: 1_200 },
    max_waiting: 5,
  },
  live: { inlet: { outflow_per_minute: 300 } },
  inForce: {
    title: "Shop",
    inlet: { type: "periodic", outflow_per_minute: 300, gate: null },
    schedule: { opens_at: "2027-03-01T10:00:00+01:00", time_zone: "Europe/Berlin" },
    joins_per_address: { per_minute: 600, burst: 1_200 },
    max_waiting: 5,
  },
  document: { targets: ["https://a.example/"], language: "de" },
};

function drafted(written: Readonly<Record<string, string | null>>): Drafts {
  return new Map(
    Object.entries(written).map(([path, text]) => {
      const entry = entries.find((other) => pathsOf(other).includes(path)) ?? entryAt(path);
      return [path, { text, seen: fingerprintOf(entry, layers) }];
    }),
  );
}
const changes = (drafts: Drafts, of = layers) => changesIn(entries, of, drafts, zoneOf(of, drafts));
const sentFor = (written: Readonly<Record<string, string | null>>) => patchOf(changes(drafted(written)).changes);
const faultsFor = (written: Readonly<Record<string, string | null>>) =>
  Object.fromEntries(changes(drafted(written)).faults);

describe("the table of settings", () => {
  it("has every setting that a live change takes but the message, and no other", () => {
    const live = entries.filter(({ isOfDocument }) => !isOfDocument).map(({ field }) => field.path);
    const taken = pathsOfSchema(membersOf(settingsChange)).filter((path) => path !== "message");
    expect([...live].sort()).toEqual([...taken].sort());
  });

  it("has what an admin changes in the document of a room that was made at run time", () => {
    const ofDocument = entries.filter(({ isOfDocument }) => isOfDocument).map(({ field }) => field.path);
    const members = (membersOf(room) ?? []).filter(([key]) => DOCUMENT_KEYS.includes(key));
    expect([...ofDocument].sort()).toEqual(pathsOfSchema(members).sort());
  });

  it("says of each what it means, with the same names in every language", () => {
    const paths = [...entries.flatMap(pathsOf), ...settingsTable.flatMap(({ name }) => name || [])];
    expect(paths.length).toBeGreaterThan(80);
    for (const path of paths) expect(Object.values(meaningOf(path)).filter(Boolean), path).toHaveLength(2);
    const names = (text: string) => text.match(/`[^`]*`/g)?.sort() ?? [];
    for (const path of paths) expect(names(meaningOf(path).de), path).toEqual(names(meaningOf(path).en));
    expect(meaningOf("inlet.outflow_per_minute").en).toContain("admissions in any 60 seconds never exceed it");
    expect(entryAt("inlet.outflow_per_minute").field).toEqual({
      path: "inlet.outflow_per_minute",
      allowed: { kind: "whole", minimum: 1, maximum: 1_000_000 },
    });
    expect(entryAt("admission.duration").field.allowed).toEqual({ kind: "duration", range: "1s to 7d" });
    expect(entryAt("schedule.opens_at").field.allowed).toEqual({ kind: "time" });
    expect(entryAt("inlet.gate").field.allowed.kind).toBe("mapping");
  });
});

describe("a setting that is changed on the day", () => {
  it("has a name of its own, and there is that setting", () => {
    const speech = speechFor(["en"]);
    const named = entries.map(({ field }) => field.path).filter((path) => settingName(path, speech) !== null);
    expect(named).toEqual([
      ...["max_waiting", "stock", "rehearsal", "inlet.outflow_per_minute"],
      ...["schedule.prequeue_at", "schedule.opens_at", "schedule.ends_at"],
      ...["draw.order", "admission.duration", "admission.claim_within"],
    ]);
    expect(settingName("schedule.prequeue_at", speech)).toContain("doors");
  });

  it("is told in one line: a message by its texts, a time by the clock of the reader", () => {
    const speech = speechFor(["en"]);
    const inLine = (path: string, value: unknown) => valueInLine(path, value, speech);
    expect(inLine("message", { text: { en: "Sold out", de: "Aus" }, severity: "sold_out" })).toBe("Sold out / Aus");
    expect(inLine("message", { text: "Soon", severity: "warning" })).toBe("Soon");
    expect(inLine("schedule.opens_at", "2027-03-01T08:00:00Z")).toBe(
      speech.time(Date.parse("2027-03-01T08:00:00Z"), 0),
    );
    expect(inLine("schedule.opens_at", "never")).toBe("never");
    expect([inLine("stock", undefined), inLine("stock", { show: "number" }), inLine("rehearsal", false)]).toEqual([
      ...["–", '{"show":"number"}', "false"],
    ]);
  });
});

describe("what is sent", () => {
  it("is what differs from what is in force, in one patch", () => {
    expect(sentFor({ "inlet.outflow_per_minute": " 450 ", title: "Shop", "inlet.type": "max_active" })).toEqual({
      inlet: { outflow_per_minute: 450, type: "max_active" },
    });
    expect(sentFor({ rehearsal: "true", waiting_status: "429", "admission.duration": "30m" })).toEqual({
      rehearsal: true,
      waiting_status: 429,
      admission: { duration: "30m" },
    });
  });

  it("gives back what is live by null, also where the field was emptied", () => {
    expect(sentFor({ "inlet.outflow_per_minute": null })).toEqual({ inlet: { outflow_per_minute: null } });
    expect(sentFor({ "inlet.outflow_per_minute": "" })).toEqual({ inlet: { outflow_per_minute: null } });
    const [change] = changes(drafted({ "inlet.outflow_per_minute": null })).changes;
    expect(change).toMatchObject({ from: 300, to: 600 });
  });

  it("never takes away by an empty field what the file says", () => {
    expect(sentFor({ max_waiting: "" })).toEqual({});
    expect(faultsFor({ max_waiting: "" })).toEqual({ max_waiting: texts.faults.empty });
    expect(faultsFor({ "inlet.max_active": "" })).toEqual({});
  });

  it("is a mapping as a whole, or off", () => {
    expect(sentFor({ "joins_per_address.per_minute": "60" })).toEqual({
      joins_per_address: { per_minute: 60, burst: 1_200 },
    });
    const ranges = "198.51.100.0/24 off\n2001:db8::/32 per_minute=600 prequeue=off\n\n203.0.113.9 none=x";
    expect(sentFor({ "joins_per_address.prequeue": "off", "joins_per_address.ranges": ranges })).toEqual({
      joins_per_address: {
        per_minute: 600,
        burst: 1_200,
        prequeue: "off",
        ranges: [
          { range: "198.51.100.0/24", limit: "off" },
          { range: "2001:db8::/32", limit: { per_minute: 600, prequeue: "off" } },
          { range: "203.0.113.9", limit: { none: "x" } },
        ],
      },
    });
    expect(sentFor({ "joins_per_address.prequeue": "25" })).toEqual({
      joins_per_address: { per_minute: 600, burst: 1_200, prequeue: 25 },
    });
    // What nobody changes is sent as it is, and read as it is written.
    const listed = {
      per_minute: 600,
      burst: 1_200,
      prequeue: "off",
      ranges: [{ range: "2001:db8::/32", limit: "off" }],
    };
    const inForce = { ...(layers.inForce as object), joins_per_address: listed };
    const drafts = drafted({ "joins_per_address.burst": "9" });
    expect(patchOf(changes(drafts, { ...layers, inForce }).changes)).toEqual({
      joins_per_address: { ...listed, burst: 9 },
    });
    expect(rangesInLine([...listed.ranges, { range: "192.0.2.1", limit: { burst: 5, prequeue: 9 } }])).toBe(
      "2001:db8::/32 off; 192.0.2.1 burst=5 prequeue=9",
    );
    expect(faultsFor({ "joins_per_address.prequeue": "0" })).toEqual({
      "joins_per_address.prequeue": texts.faults.whole,
    });
    expect(sentFor({ joins_per_address: "off" })).toEqual({ joins_per_address: "off" });
    expect(sentFor({ "inlet.gate": "off" })).toEqual({});
    expect(
      sentFor({ "inlet.gate": "on", "inlet.gate.health_url": "https://a.example/", "inlet.gate.timeout": "" }),
    ).toEqual({ inlet: { gate: { health_url: "https://a.example/" } } });
    expect(faultsFor({ "joins_per_address.burst": "0" })).toEqual({
      "joins_per_address.burst": texts.faults.whole,
    });
  });

  it("of rules for addresses is a line for each; nothing is off", () => {
    const lines = "office pass 203.0.113.0/28, 2001:db8:5::/48\n\n scalpers refuse 192.0.2.0/24 \nodd";
    const rules = [
      { name: "office", action: "pass", ranges: ["203.0.113.0/28", "2001:db8:5::/48"] },
      { name: "scalpers", action: "refuse", ranges: ["192.0.2.0/24"] },
      { name: "odd", action: "", ranges: [] },
    ];
    expect(sentFor({ address_rules: lines })).toEqual({ address_rules: rules });
    expect(sentFor({ address_rules: " \n" })).toEqual({});
    expect(rulesInLine(rules.slice(0, 2))).toBe(
      "office pass 203.0.113.0/28 2001:db8:5::/48; scalpers refuse 192.0.2.0/24",
    );
    expect(rulesInLine("off")).toBe("");
    const inForce = { ...(layers.inForce as object), address_rules: rules.slice(0, 1) };
    expect(patchOf(changes(drafted({ address_rules: "off" }), { ...layers, inForce }).changes)).toEqual({
      address_rules: "off",
    });
  });

  it("of a site's rules are lines of name, action and expression, or triggers as JSON", () => {
    const rules = [
      { name: "checkout", action: "queue", when: 'starts_with(http.request.uri.path, "/checkout")' },
      { name: "sale", action: "queue", triggers: [{ LogicalOperator: "And", TriggerParts: [] }] },
      { name: "odd", action: "queue", when: "[what" },
      { name: "rest", action: "ignore" },
      { name: "half", action: "" },
    ];
    const lines = [
      'checkout queue   starts_with(http.request.uri.path, "/checkout")',
      'sale queue [{"LogicalOperator":"And","TriggerParts":[]}]',
      "odd queue [what",
      " rest ignore ",
      "half",
    ].join("\n");
    expect(sentFor({ rules: lines })).toEqual({ rules });
    expect(textOf(entryAt("rules").field, rules.slice(0, 4), "UTC")).toBe(
      lines
        .split("\n")
        .slice(0, 4)
        .map((line) => line.trim().replace("   ", " "))
        .join("\n"),
    );
    expect(
      siteRulesInLine([{ name: "a", action: "queue", when: "verified_crawler\n or verified_crawler" }, rules[3]]),
    ).toBe("a queue verified_crawler or verified_crawler; rest ignore");
    expect(siteRulesInLine("off")).toBe("");
  });

  it("of a document is a list by lines, and null takes away", () => {
    expect(sentFor({ targets: "https://a.example/\n\n https://b.example/* " })).toEqual({
      targets: ["https://a.example/", "https://b.example/*"],
    });
    expect(sentFor({ targets: "https://a.example/" })).toEqual({});
    expect(sentFor({ language: "" })).toEqual({ language: null });
  });

  it("is one of the words of a phase without a line, or an address", () => {
    expect(entryAt("when_idle").field.allowed).toEqual({ kind: "redirect", choices: ["page", "pass_through"] });
    expect(sentFor({ when_ended: "https://a.example/over", when_idle: "pass_through" })).toEqual({
      when_ended: { redirect: "https://a.example/over" },
      when_idle: "pass_through",
    });
  });

  it("is links by lines, each by language where it says so; none are off", () => {
    const written =
      "Newsletter https://a.example/news\n\nen: Other cities; de: Andere Städte  https://a.example/cities";
    const links = [
      { label: "Newsletter", url: "https://a.example/news" },
      { label: { en: "Other cities", de: "Andere Städte" }, url: "https://a.example/cities" },
    ];
    expect(sentFor({ links: written })).toEqual({ links });
    expect(sentFor({ links: "" })).toEqual({});
    expect(readLinks(linksText(links))).toEqual(links);
    expect(readLinks("https://a.example/news")).toEqual([{ label: "", url: "https://a.example/news" }]);
    expect(readLinks("Tickets: now; later https://a.example/")).toEqual([
      { label: "Tickets: now; later", url: "https://a.example/" },
    ]);
  });

  it("is Markdown as it is written, or by language below tags on lines of their own", () => {
    const text = "# Soon\n\nno: smoking\n\n- **seven**";
    expect(sentFor({ while_waiting: text })).toEqual({ while_waiting: text });
    const written = `en:\n${text}\n\nde:\n\n# Bald\n`;
    const texts = { en: text, de: "# Bald" };
    expect(sentFor({ while_waiting: written })).toEqual({ while_waiting: texts });
    expect(readMarkdownTexts(markdownText(texts))).toEqual(texts);
    expect(readMarkdownTexts(markdownText(text))).toBe(text);
    expect(sentFor({ while_waiting: "off" })).toEqual({ while_waiting: "off" });
    expect(sentFor({ while_waiting: "" })).toEqual({});
  });

  it("is the next sale as a whole", () => {
    const sale = {
      next_sale: "on",
      "next_sale.title": "en: Extra; de: Zusatz",
      "next_sale.starts_at": "2027-05-01T10:00",
      "next_sale.url": "https://a.example/extra",
    };
    expect(sentFor(sale)).toEqual({
      next_sale: {
        title: { en: "Extra", de: "Zusatz" },
        starts_at: "2027-05-01T10:00+02:00",
        url: "https://a.example/extra",
      },
    });
  });

  it.each(["0", "10000001", "1.5", "-1", "1e3", "", "٣"])("is never the number %j", (text) => {
    expect(sentFor({ "inlet.max_active": text })).toEqual({});
  });
});

describe("local times", () => {
  it("are sent with the offset that the zone has then", () => {
    expect(sentFor({ "schedule.opens_at": "2027-07-01T10:00" })).toEqual({
      schedule: { opens_at: "2027-07-01T10:00+02:00" },
    });
    expect(sentFor({ "schedule.opens_at": "2027-03-01T10:00" })).toEqual({});
  });

  it("are of the zone that is written beside them, else of the room's, else of UTC", () => {
    expect(sentFor({ "schedule.opens_at": "2027-07-01T10:00", "schedule.time_zone": "America/New_York" })).toEqual({
      schedule: { opens_at: "2027-07-01T10:00-04:00", time_zone: "America/New_York" },
    });
    expect(zoneOf(layers, new Map())).toBe("Europe/Berlin");
    expect(zoneOf({ ...layers, inForce: {} }, new Map())).toBe("UTC");
    expect(faultsFor({ "schedule.opens_at": "2027-07-01T10:00", "schedule.time_zone": "Berlin" })).toEqual({
      "schedule.opens_at": texts.faults.zone,
    });
  });

  it("that the clocks leave out or show twice are faults, until one of the two is chosen", () => {
    expect(faultsFor({ "schedule.opens_at": "2027-03-28T02:30" })).toEqual({
      "schedule.opens_at": texts.faults.gap,
    });
    expect(faultsFor({ "schedule.opens_at": "2027-10-31T02:30" })).toEqual({
      "schedule.opens_at": texts.faults.twice,
    });
    expect(sentFor({ "schedule.opens_at": "2027-10-31T02:30+01:00" })).toEqual({
      schedule: { opens_at: "2027-10-31T02:30+01:00" },
    });
    expect(faultsFor({ "schedule.opens_at": "2027-10" })).toEqual({ "schedule.opens_at": texts.faults.time });
  });

  it.each([
    ["Europe/Berlin", "2027-10-31T02:30", ["+02:00", "+01:00"]],
    ["Europe/Berlin", "2027-10-31T01:59", ["+02:00"]],
    ["Europe/Berlin", "2027-10-31T03:00", ["+01:00"]],
    ["Europe/Berlin", "2027-03-28T02:00", []],
    ["Europe/Berlin", "2027-03-28T03:00", ["+02:00"]],
    ["Australia/Lord_Howe", "2027-04-04T01:45", ["+11:00", "+10:30"]],
    ["Asia/Kathmandu", "2027-04-04T01:45", ["+05:45"]],
    ["America/St_Johns", "2027-01-04T23:45:30", ["-03:30"]],
    ["Pacific/Apia", "2011-12-30T12:00", []],
    ["UTC", "2027-01-01T00:00", ["+00:00"]],
  ])("in %s: %s is so often: %j", (zone, local, offsets) => {
    const instants = instantsOf(local, zone) ?? [];
    expect(instants.map(({ offset }) => offset)).toEqual(offsets);
    for (const instant of instants) {
      expect(Date.parse(exactTime(local, instant))).toBe(instant.ms);
      expect(localOf(instant.ms, zone)).toBe(instants.length > 1 ? `${local}${instant.offset}` : local);
    }
  });

  it("know zones by their names", () => {
    expect(["Europe/Berlin", "UTC", "Berlin", ""].map(isZone)).toEqual([true, true, false, false]);
  });
});

describe("what somebody else changed meanwhile", () => {
  it("is noticed where it was written here, too, and only there", () => {
    const drafts = drafted({ "inlet.outflow_per_minute": "450", "joins_per_address.burst": "9" });
    const theirs = {
      ...layers,
      inForce: { ...(layers.inForce as object), inlet: { outflow_per_minute: 200 }, max_waiting: 7 },
    };
    expect(overtaken(entries, layers, drafts)).toEqual([]);
    expect(overtaken(entries, theirs, drafts)).toEqual([entryAt("inlet.outflow_per_minute")]);
  });
});

describe("the gateway's faults", () => {
  it("stand at their fields, those of what is in a mapping or a list too", () => {
    const faults = [
      { path: "inlet.type", message: "expected one of a; b" },
      { path: "inlet.gate.health_url", message: "expected an absolute URL" },
      { path: "inlet.gate", message: "expected off" },
      { path: "targets[2]", message: "expected an address" },
      { path: "targets[0]", message: "expected another" },
      { path: "colour", message: "unknown key" },
    ];
    expect(Object.fromEntries(faultsByField(faults, entries.flatMap(pathsOf)))).toEqual({
      "inlet.type": ["expected one of a; b"],
      "inlet.gate.health_url": ["expected an absolute URL"],
      "inlet.gate": ["expected off"],
      targets: ["3: expected an address", "1: expected another"],
    });
  });
});
