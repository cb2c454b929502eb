import { describe, expect, it } from "vitest";
import { verifyRound } from "../../../../src/room/draw-recipe/beacon-signature.ts";
import {
  type DrawDocument,
  publishDraw,
  quicknet,
  readDrawDocument,
  type VerifyDrawOptions,
  verifyDraw,
} from "../../../../src/room/draw-recipe/index.ts";
import * as made from "./made-draw.ts";
import { recordedRounds } from "./recorded-rounds.ts";

const [, laterRound] = recordedRounds;

/** A signature is checked once, however many documents have it: that takes longest. */
const signatures = new Map<string, boolean>();
const verifyOnce: typeof verifyRound = (...round) => {
  const key = JSON.stringify(round);
  const isRight = signatures.get(key) ?? verifyRound(...round);
  signatures.set(key, isRight);
  return isRight;
};

function verify(document: unknown, receipts: readonly string[] = [], options: Partial<VerifyDrawOptions> = {}) {
  const read = readDrawDocument(JSON.parse(JSON.stringify(document)));
  return verifyDraw(read, receipts, { verifyRound: verifyOnce, ...options });
}

/** The names of the checks that failed; each failure has a sentence of its own. */
function failures(...args: Parameters<typeof verify>): string[] {
  const report = verify(...args);
  const failed = report.checks.filter(({ status }) => status === "failed");
  expect(report.isGenuine).toBe(failed.length === 0);
  for (const { text } of failed) expect(text).toMatch(/^[A-Z\d].{20,}[^.]\.$/s);
  return failed.map(({ name }) => name);
}

describe("a draw with voided entries", () => {
  const entryVoid = {
    reference: "KZPRWBTG",
    reason: "Two entries of one address.",
    at: "2027-03-01T10:00:00.000Z",
    restored_at: null,
    numbers: [[20, 21]] as [number, number][],
  };

  it("says what was voided and why, and that it took no part", () => {
    const { isGenuine, checks } = verify(made.documentOf({ voids: [entryVoid] }));
    expect(isGenuine).toBe(true);
    const [found] = checks.filter(({ name }) => name === "voids");
    expect(found).toMatchObject({ status: "ok" });
    expect(found?.text).toContain("2 entries, void KZPRWBTG: “Two entries of one address.”");
  });

  it("fails where a voided number takes part, and not where it was given back", () => {
    const voids = [{ ...entryVoid, numbers: [[20, 22]] as [number, number][] }];
    expect(failures(made.documentOf({ voids }))).toEqual(["voids"]);
    expect(failures(made.documentOf({ voids: voids.map((each) => ({ ...each, restored_at: each.at })) }))).toEqual([]);
  });

  it("takes the receipt of a voided entry for genuine, gives it no place, and warns", () => {
    const document = made.documentOf({ voids: [entryVoid] });
    const early = made.receiptText({ entry: 20, position: undefined, entries: undefined } as never);
    const { checks, places, isGenuine } = verify(document, [early]);
    expect(isGenuine).toBe(true);
    expect(checks.find(({ name }) => name === "receipt")).toMatchObject({ status: "warning" });
    expect(places).toMatchObject([{ entry: 20, position: null }]);
    expect(failures(made.documentOf(), [early])).toEqual(["receipt"]);
  });

  it("finds a reason that was changed on the way", () => {
    const document = structuredClone(made.documentOf({ voids: [entryVoid] })) as never as {
      draws: { voids: { reason: string }[] }[];
    };
    for (const each of document.draws[0]?.voids ?? []) each.reason = "Another.";
    expect(failures(document)).toEqual(["record"]);
  });
});

describe("a genuine draw", () => {
  it("passes all checks, and tells the place of each receipt", () => {
    const { isGenuine, checks, places } = verify(made.documentOf(), [made.receiptText()], {
      keyThumbprint: made.receiptKey.kid,
      position: made.positionOf(17),
    });
    expect(isGenuine).toBe(true);
    expect(checks.map(({ name, status }) => `${name} ${status}`)).toEqual([
      "record ok",
      "key ok",
      "seed ok",
      "numbers ok",
      "chain ok",
      "round ok",
      "beacon ok",
      "receipt ok",
      "place ok",
    ]);
    expect(places).toEqual([
      { receipt: 1, draw: 1, sub: "visitor-17", entry: 17, position: made.positionOf(17), entries: 37 },
    ]);
  });

  it("fits a receipt of the prequeue, which names no place, with or without the round", () => {
    const early = made.receiptText({ position: undefined, entries: undefined } as never);
    const { chain } = made.beacon;
    const earlier = made.receiptText({
      position: undefined,
      entries: undefined,
      beacon: { chain, round: null },
    } as never);
    expect(verify(made.documentOf(), [early, earlier])).toMatchObject({
      isGenuine: true,
      places: [{ position: made.positionOf(17) }, { position: made.positionOf(17) }],
    });
  });

  it("may say more than this program knows of", () => {
    const document = made.documentOf();
    const more = { ...made.beacon, relays: 4 };
    const draws = [publishDraw(made.receiptKey, document, { ...made.facts, beacon: more, weather: "fine" } as never)];
    expect(failures({ ...document, draws, news: [] })).toEqual([]);
  });

  it("may go without a beacon, or without its value in time, which is a warning", () => {
    const without = made.documentOf({ beacon: null });
    expect(warnings(without)).toEqual(["beacon"]);
    const beacon = { ...made.beacon, signature: null, randomness: null, fallback: "unavailable" as const };
    expect(warnings(made.documentOf({ beacon }))).toEqual(["beacon"]);
    expect(verify(made.documentOf({ beacon })).checks.find(({ status }) => status === "warning")?.text).toContain(
      "could not be had in time",
    );
  });

  it("may use another chain, which is a warning", () => {
    const beacon = { ...made.beacon, chain: "ab".repeat(32) };
    expect(failures(made.documentOf({ beacon }))).toEqual([]);
    expect(warnings(made.documentOf({ beacon }))).toEqual(["chain"]);
  });

  it("is not done in these stages, which is a warning", () => {
    const unknown = { ...made.beacon, signature: null, randomness: null };
    const undrawn = { seed: null, beacon: unknown };
    expect(warnings(made.documentOf({ ...undrawn, stage: "closed" }))).toEqual(["seed"]);
    expect(warnings(made.documentOf({ ...undrawn, stage: "cancelled" }))).toEqual(["seed"]);
    const open = { ...undrawn, first: null, last: null, entries: null, gaps: [] };
    expect(warnings(made.documentOf({ ...open, stage: "closing" }))).toEqual(["seed"]);
    expect(warnings(made.documentOf({ ...open, stage: "committed", closes_at: null }))).toEqual(["seed"]);
  });

  function warnings(document: DrawDocument): string[] {
    const report = verify(document);
    expect(report.isGenuine).toBe(true);
    return report.checks.filter(({ status }) => status === "warning").map(({ name }) => name);
  }
});

describe("what was changed on the way is found", () => {
  it.each<[string, Parameters<typeof made.tampered>[0], string[]]>([
    ["the seed", (draw) => Object.assign(draw, { seed: "00".repeat(32) }), ["record", "seed", "receipt"]],
    ["the commitment", (draw) => Object.assign(draw, { commitment: "00".repeat(32) }), ["record", "seed", "receipt"]],
    ["the last number", (draw) => Object.assign(draw, { last: 39 }), ["record", "numbers", "receipt"]],
    ["how many took part", (draw) => Object.assign(draw, { entries: 38 }), ["record", "numbers", "receipt"]],
    ["the last number with it", (draw) => Object.assign(draw, { last: 41, entries: 38 }), ["record", "receipt"]],
    ["the gaps", (draw) => Object.assign(draw, { gaps: [[7, 7]] }), ["record", "numbers", "receipt"]],
    ["which numbers are gaps", (draw) => Object.assign(draw, { gaps: [[1, 3]] }), ["record", "receipt"]],
    ["when entries ended", (draw) => Object.assign(draw, { closes_at: made.facts.opens_at }), ["record", "round"]],
    [
      "the beacon's signature",
      ({ beacon }) => Object.assign(beacon, laterRound, { round: 1_000, randomness: made.round.randomness }),
      ["record", "beacon"],
    ],
    [
      "the beacon's number",
      ({ beacon }) => Object.assign(beacon, { randomness: "00".repeat(32) }),
      ["record", "beacon", "receipt"],
    ],
    [
      "the beacon's round",
      ({ beacon }) => Object.assign(beacon, { round: 1_001 }),
      ["record", "round", "beacon", "receipt"],
    ],
    [
      "the beacon's key",
      ({ beacon }) => Object.assign(beacon, { public_key: "00".repeat(96) }),
      ["record", "chain", "beacon"],
    ],
    ["the beacon", (draw) => Object.assign(draw, { beacon: null }), ["record", "receipt"]],
    ["that it was held", (draw) => Object.assign(draw, { stage: "cancelled" }), ["record", "seed", "receipt"]],
    ["the key", (draw) => Object.assign(draw, { receipt_key: made.otherKey.jwk }), ["record", "receipt"]],
    ["the signed record", (draw) => Object.assign(draw, { signed: `${draw.signed}AAAA` }), ["record"]],
  ])("%s", (_, change, expected) => {
    expect(failures(made.tampered(change), [made.receiptText()])).toEqual(expected);
  });

  it.each([
    ["the edition", { edition: 3 }],
    ["the room", { room: "spring-tour" }],
  ])("%s", (_, change) => {
    expect(failures({ ...made.documentOf(), ...change }, [made.receiptText()])).toEqual(["record", "seed", "receipt"]);
  });

  it("the issuer", () => {
    const changed = { ...made.documentOf(), issuer: "https://queue.example.org" };
    expect(failures(changed, [made.receiptText()])).toEqual(["record", "receipt"]);
  });

  it("a receipt", () => {
    const text = made.receiptText();
    const [head, , signature] = text.split(".");
    const claims = Buffer.from(JSON.stringify({ ...made.drawnReceipt, position: 1 })).toString("base64url");
    expect(failures(made.documentOf(), [`${head}.${claims}.${signature}`])).toEqual(["receipt"]);
  });
});

describe("what the operator says otherwise than before is found, though it is signed", () => {
  it.each<[string, Partial<typeof made.facts>, string[]]>([
    ["another seed", { seed: "00".repeat(32) }, ["seed", "receipt"]],
    ["another commitment", { commitment: "00".repeat(32) }, ["seed", "receipt"]],
    ["another last number", { last: 41, entries: 38 }, ["receipt"]],
    ["a last number before the receipt's", { last: 15, gaps: [], entries: 15 }, ["receipt"]],
    ["a receipt's number as a gap", { gaps: [[16, 18]], entries: 37 }, ["receipt"]],
    ["gaps that cannot be", { gaps: [[30, 50]] }, ["numbers"]],
    [
      "another round",
      { beacon: { ...made.beacon, round: 1_001, signature: laterRound.signature, published_at: null } },
      ["round", "beacon", "receipt"],
    ],
    ["another time of the round", { beacon: { ...made.beacon, published_at: made.facts.closes_at } }, ["round"]],
    ["no round", { beacon: { ...made.beacon, round: null } }, ["beacon", "receipt"]],
    ["no end of entries", { closes_at: null }, ["round"]],
    ["no beacon after all", { beacon: null }, ["receipt"]],
    [
      "a beacon that failed, and did not",
      { beacon: { ...made.beacon, fallback: "unavailable" } },
      ["beacon", "receipt"],
    ],
    ["no seed", { seed: null }, ["seed"]],
    ["no numbers", { first: null, last: null, entries: null }, ["numbers", "receipt"]],
    ["a seed of a draw that was cancelled", { stage: "cancelled" }, ["seed", "receipt"]],
    ["more entries than can be", { last: 2 ** 50, gaps: [], entries: 2 ** 50 }, ["numbers", "receipt"]],
    ["more entries than can be, by one", { last: 2 ** 32 + 4, entries: 2 ** 32 + 1 }, ["numbers", "receipt"]],
    ["a seed before the draw", { stage: "closed" }, ["seed", "receipt"]],
  ])("%s", (_, change, expected) => {
    expect(failures(made.documentOf(change), [made.receiptText()])).toEqual(expected);
  });

  it("a receipt whose header says nonsense", () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    for (const typ of [{ toString: 1, valueOf: 1 }, null, 7]) {
      const text = `${part({ typ })}.${part({})}.AAAA`;
      expect(failures(made.documentOf(), [text])).toEqual(["receipt"]);
    }
    const [, claims, signature] = made.receiptText().split(".");
    expect(failures(made.documentOf(), [`${part([])}.${claims}.${signature}`])).toEqual(["receipt"]);
    const deep = `${"[".repeat(5_000)}${"]".repeat(5_000)}`;
    const deepText = Buffer.from(deep).toString("base64url");
    expect(failures(made.documentOf(), [`${deepText}.${deepText}.AAAA`])).toEqual(["receipt"]);
  });

  it.each([
    ["another key", {}, made.otherKey],
    ["another edition", { edition: 1 }, made.receiptKey],
    ["another draw", { draw: 2 }, made.receiptKey],
    ["another commitment", { commitment: "00".repeat(32) }, made.receiptKey],
    ["another round", { beacon: { chain: quicknet.hash, round: 999 } }, made.receiptKey],
    ["another chain", { beacon: { chain: "00".repeat(32), round: 1_000 } }, made.receiptKey],
    ["no beacon", { beacon: null }, made.receiptKey],
    ["another place", { position: made.positionOf(17) + 1 }, made.receiptKey],
    ["another number of entries", { entries: 36 }, made.receiptKey],
    ["a number beyond the last", { entry: 41 }, made.receiptKey],
    ["a number that nobody holds", { entry: 20, position: made.positionOf(20) }, made.receiptKey],
  ])("a receipt of %s", (_, change, key) => {
    expect(failures(made.documentOf(), [made.receiptText(change, key)])).toEqual(["receipt"]);
  });

  it.each([
    ["another room", { room: "spring-tour" }],
    ["another edition", { edition: 1 }],
    ["another issuer", { iss: "https://other.example.com" }],
  ])("a receipt of %s, which has no place here and shares no number", (_, change) => {
    const other = made.receiptText({ ...change, sub: "visitor-18" });
    const { checks, places } = verify(made.documentOf(), [made.receiptText(), other]);
    expect(checks.filter(({ status }) => status === "failed")).toMatchObject([
      { name: "receipt", text: expect.stringMatching(/^Receipt 2 /) },
    ]);
    expect(places).toMatchObject([{ position: made.positionOf(17) }, { position: null }]);
  });

  it("one number for two visitors, and not two receipts of one", () => {
    const again = made.receiptText({ iat: made.receipt.iat + 60 });
    expect(failures(made.documentOf(), [made.receiptText(), again])).toEqual([]);
    const other = made.receiptText({ sub: "visitor-18" });
    expect(failures(made.documentOf(), [made.receiptText(), again, other])).toEqual(["entries"]);
  });

  it("one number for two visitors, unless the place was moved to all but one of them", () => {
    const first = made.receiptText({ sub: "visitor-1" });
    const moved = ["visitor-2", "visitor-3"].map((sub) => made.receiptText({ sub, moved: true }));
    for (const receipts of [
      [first, ...moved],
      [...moved, first],
    ]) {
      const report = verify(made.documentOf(), receipts);
      const told = report.checks.filter(({ name }) => name === "entries");
      expect(told).toMatchObject([{ status: "warning" }, { status: "warning" }]);
      expect(report.isGenuine).toBe(true);
    }
    expect(failures(made.documentOf(), [...moved, first, made.receiptText()])).toEqual(["entries"]);
  });

  it("a key that is not the one that is known from elsewhere", () => {
    const keyThumbprint = made.otherKey.kid;
    expect(failures(made.documentOf(), [], { keyThumbprint })).toEqual(["key"]);
  });

  it("another place than the page told", () => {
    const position = made.positionOf(17) + 1;
    expect(failures(made.documentOf(), [made.receiptText()], { position })).toEqual(["place"]);
    expect(failures(made.documentOf(), [], { position })).toEqual(["place"]);
  });

  it("draws that share numbers, or stand in the wrong order", () => {
    const document = made.documentOf();
    const second = made.documentOf({ id: 2, first: 40, last: 41, stage: "closed", seed: null, gaps: [], entries: 2 });
    const draws = [...document.draws, ...second.draws];
    expect(failures({ ...document, draws })).toEqual(["contents"]);
    const apart = made.documentOf({ id: 2, first: 41, last: 42, stage: "closed", seed: null, gaps: [], entries: 2 });
    expect(failures({ ...document, draws: [...document.draws, ...apart.draws] })).toEqual([]);
    expect(failures({ ...document, draws: [...apart.draws, ...document.draws] })).toContain("contents");
  });

  it("that there is nothing to check", () => {
    expect(failures({ ...made.documentOf(), draws: [] })).toEqual(["contents"]);
  });
});

describe("what is no document is said to be none", () => {
  it.each<[unknown, string]>([
    [[], "the whole: expected an object"],
    [{}, "issuer: expected a text"],
    [{ ...made.documentOf(), edition: -1 }, "edition: expected a whole number from 0 on"],
    [{ ...made.documentOf(), order: "any" }, "order: expected random or arrival"],
    [{ ...made.documentOf(), draws: {} }, "draws: expected a list"],
    [{ ...made.documentOf(), updated_at: "soon" }, "updated_at: expected a time (ISO 8601)"],
    [
      made.tampered((draw) => Object.assign(draw, { closes_at: "2023-08-23 16:00" })),
      "draws[0].closes_at: expected a time (ISO 8601)",
    ],
    [
      made.tampered((draw) => Object.assign(draw, { gaps: [[1]] })),
      "draws[0].gaps[0]: expected two numbers, the first and the last",
    ],
    [
      made.tampered((draw) => Object.assign(draw, { seed: "AB" })),
      "draws[0].seed: expected 64 hexadecimal digits in lower case",
    ],
    [
      made.tampered(({ beacon }) => Object.assign(beacon, { signature: "" })),
      "draws[0].beacon.signature: expected 96 hexadecimal digits in lower case",
    ],
    [
      made.tampered((draw) => Object.assign(draw, { receipt_key: {} })),
      "draws[0].receipt_key: expected a public key (JWK) for Ed25519",
    ],
  ])("%#: %s", (value, message) => {
    expect(() => readDrawDocument(value)).toThrow(message);
  });
});
