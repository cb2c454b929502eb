/** The proof of work is Altcha's: its own library solves ours, and takes what our page solves. And what an attacker may try. */
import { solveChallenge, verifySolution } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import { beforeAll, describe, expect, test } from "vitest";
import {
  createProofs,
  type ProofChallenge,
  proofLengthMax,
  proofValidMs,
} from "../../../../src/oidc/check/proof-of-work.ts";
import { createKeyRing } from "../../../../src/room/index.ts";
import { solve } from "../../../../src/web/browser/proof.ts";
import { createMovedClock } from "../../../support/moved-clock.ts";
import { createLuckyRandom } from "./lucky-random.ts";

const secret = (fill: number) => new Uint8Array(32).fill(fill);
const ring = createKeyRing([{ kid: "k1", secret: secret(1) }]);
const where = { line: "here", network: "there" };
const clock = createMovedClock(Date.UTC(2027, 0, 1));
const proofs = createProofs(ring, clock, createLuckyRandom("proofs"));

const payload = (proof: object) => Buffer.from(JSON.stringify(proof)).toString("base64");

async function solved(times = 1) {
  const challenge = await proofs.make(where, "mine", times);
  return { challenge, solution: await solve({ challenge, start: 0, step: 1 }) };
}

describe("a proof", () => {
  let challenge: ProofChallenge;
  let solution: { counter: number; derivedKey: string };
  beforeAll(async () => {
    ({ challenge, solution } = await solved());
  });

  test("counts, with the id and the difficulty of its challenge", () => {
    expect(proofs.verify(where.line, payload({ challenge, solution }))).toEqual({
      id: challenge.parameters.nonce,
      times: 1,
      network: "there",
      session: "mine",
    });
    // Other clients say more, in either base64.
    const told = payload({ challenge, solution: { ...solution, time: 12.3 } });
    expect(proofs.verify(where.line, told)).toMatchObject({ times: 1 });
    expect(proofs.verify(where.line, Buffer.from(told, "base64").toString("base64url"))).toMatchObject({ times: 1 });
  });

  test("is found by Altcha's own library as well, and its own check by deriving again accepts ours", async () => {
    const found = await solveChallenge({ challenge, deriveKey });
    expect(found).toMatchObject(solution);
    const hmacSignatureSecret = "theirs";
    const { createChallenge } = await import("altcha-lib");
    const theirs = await createChallenge({
      algorithm: "PBKDF2/SHA-256",
      cost: 10,
      counter: 60,
      deriveKey,
      hmacSignatureSecret,
    });
    const share = { challenge: theirs as Parameters<typeof solve>[0]["challenge"], start: 0, step: 1 };
    const ours = await solve(share);
    expect(ours.counter).toBe(60);
    expect(await verifySolution({ challenge: theirs, solution: ours, deriveKey, hmacSignatureSecret })).toMatchObject({
      verified: true,
    });
  });

  test("is found by workers that share the work", async () => {
    const found = await Promise.race([0, 1, 2].map((start) => solve({ challenge, start, step: 3 })));
    expect(found).toEqual(solution);
  });

  test("of another line is one from elsewhere", () => {
    expect(proofs.verify("another", payload({ challenge, solution }))).toBe("elsewhere");
  });

  test.each<[string, (challenge: ProofChallenge) => object]>([
    ["a lower cost", ({ parameters }) => ({ cost: 1, nonce: parameters.nonce })],
    ["a shorter prefix of zeros", () => ({ keyPrefix: "0".repeat(32) })],
    ["a longer life", ({ parameters }) => ({ expiresAt: parameters.expiresAt + 60 })],
    ["another line", ({ parameters }) => ({ data: { ...parameters.data, line: "another" } })],
    ["another network", ({ parameters }) => ({ data: { ...parameters.data, network: "another" } })],
    ["another session", ({ parameters }) => ({ data: { ...parameters.data, session: "another" } })],
    ["a greater difficulty than was solved", ({ parameters }) => ({ data: { ...parameters.data, times: 64 } })],
    ["an unknown key", ({ parameters }) => ({ data: { ...parameters.data, key: "k2" } })],
    ["a signed key of one's own", () => ({ keySignature: "ab".repeat(32) })],
    ["another nonce, to count as another proof", () => ({ nonce: "ab".repeat(16) })],
  ])("with %s is forged", (_, changed) => {
    const parameters = { ...challenge.parameters, ...changed(challenge) };
    expect(proofs.verify(where.line, payload({ challenge: { ...challenge, parameters }, solution }))).toBe("forged");
  });

  test("signed with other keys is forged", async () => {
    const others = createProofs(createKeyRing([{ kid: "k1", secret: secret(2) }]), clock, createLuckyRandom("others"));
    const foreign = await others.make(where, "mine", 1);
    const proof = { challenge: foreign, solution: await solve({ challenge: foreign, start: 0, step: 1 }) };
    expect(others.verify(where.line, payload(proof))).toMatchObject({ times: 1 });
    expect(proofs.verify(where.line, payload(proof))).toBe("forged");
  });

  test("that was not found is wrong, and so is that of another challenge", async () => {
    const guess = { counter: 0, derivedKey: challenge.parameters.keyPrefix.padEnd(64, "0") };
    expect(proofs.verify(where.line, payload({ challenge, solution: guess }))).toBe("wrong");
    const other = await solved();
    expect(proofs.verify(where.line, payload({ challenge, solution: other.solution }))).toBe("wrong");
  });

  test("survives a change of keys, as long as the old one is accepted", () => {
    ring.replace([
      { kid: "k9", secret: secret(9) },
      { kid: "k1", secret: secret(1) },
    ]);
    expect(proofs.verify(where.line, payload({ challenge, solution }))).toMatchObject({ times: 1 });
    ring.replace([{ kid: "k9", secret: secret(9) }]);
    expect(proofs.verify(where.line, payload({ challenge, solution }))).toBe("forged");
    ring.replace([{ kid: "k1", secret: secret(1) }]);
  });

  test.each([
    ["nothing", ""],
    ["no base64", "%%%"],
    ["no JSON", Buffer.from("{").toString("base64")],
    ["null", payload(JSON.parse("[null]"))],
    ["numbers for text", payload({ challenge: 1, solution: 2 })],
    ["deep nesting", Buffer.from("[".repeat(1_000)).toString("base64")],
    ["more than anybody says", "A".repeat(proofLengthMax + 1)],
  ])("that is %s cannot be read", (_, text) => {
    expect(proofs.verify(where.line, text)).toBe("unreadable");
  });

  test("with members of an attacker's own cannot be read", () => {
    const parameters = { ...challenge.parameters, memoryCost: 1 };
    expect(proofs.verify(where.line, payload({ challenge: { ...challenge, parameters }, solution }))).toBe(
      "unreadable",
    );
    const counter = { ...solution, counter: 1.5 };
    expect(proofs.verify(where.line, payload({ challenge, solution: counter }))).toBe("unreadable");
  });

  test("is short enough for what is read of it", async () => {
    const hardest = await proofs.make(where, "mine", 1_000);
    expect(payload({ challenge: hardest, solution }).length).toBeLessThan(proofLengthMax / 1.5);
  });

  test("is over after five minutes", () => {
    clock.advance(proofValidMs - 1_000);
    expect(proofs.verify(where.line, payload({ challenge, solution }))).toMatchObject({ times: 1 });
    clock.advance(2_000);
    expect(proofs.verify(where.line, payload({ challenge, solution }))).toBe("expired");
  });
});
