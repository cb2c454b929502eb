import { createHmac, pbkdf2, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { z } from "zod";
import type { Clock, Random } from "../../lib/clock-and-random.ts";
import type { KeyRing } from "../../room/index.ts";
import type { Where } from "./passes.ts";

/** Iterations of PBKDF2 per attempt: enough that the overhead of a call hardly makes browsers slower than programs. */
const cost = 1_000;
/** Attempts that a challenge of difficulty 1 takes at most; half of them on average. */
const attemptsMax = 800;
/** A challenge is solved in seconds; a phone may be put away meanwhile. */
export const proofValidMs = 300_000;
const keyLength = 32;
/** Of the derived key, in hex: no other counter has the same by chance. */
const prefixLength = 32;

/** Characters of a proof. Longer ones are ignored. */
export const proofLengthMax = 2_048;

const hex = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-f]{${2 * bytes}}$`));

/** Members in the order of their names, as the signature has them. */
const challengeSchema = z.strictObject({
  parameters: z.strictObject({
    algorithm: z.literal("PBKDF2/SHA-256"),
    cost: z.int(),
    data: z.strictObject({
      /** By which key it is signed. */
      key: z.string().max(64),
      /** The line and the network it was requested for; see passes.ts. */
      line: z.string().max(64),
      network: z.string().max(64),
      /** The visitor's session; see passes.ts. */
      session: z.string().max(64),
      /** How many times harder it is than the easiest. */
      times: z.int(),
    }),
    /** In seconds. */
    expiresAt: z.int(),
    keyLength: z.int(),
    keyPrefix: hex(prefixLength / 2),
    keySignature: hex(32),
    nonce: hex(16),
    salt: hex(16),
  }),
  signature: hex(32),
});

const proofSchema = z.strictObject({
  challenge: challengeSchema,
  // Clients send more members, such as the time it took.
  solution: z.object({ counter: z.int().min(0).max(0xffffffff), derivedKey: hex(keyLength) }),
});

export type ProofChallenge = z.output<typeof challengeSchema>;

/** A valid proof. */
export interface Proved {
  /** Names the challenge. */
  readonly id: string;
  readonly times: number;
  /** The network and session that requested the challenge. */
  readonly network: string;
  readonly session: string;
}

export type ProofFault = "unreadable" | "forged" | "elsewhere" | "expired" | "wrong";

const signatureContext = "usher proof of work v1";
const keyContext = "usher proof of work, key v1";
const derive = promisify(pbkdf2);

/**
 * Altcha's proof of work, version 2, with a known counter (https://altcha.org/docs/v2/proof-of-work/): the visitor looks for the
 * counter whose derived key has the prefix of the challenge. Making a challenge costs one derivation; checking a proof costs two HMACs,
 * because the key is signed, too. A challenge is for one line, and names a network and a session. Every process can verify it without the store.
 */
export function createProofs(ring: KeyRing, clock: Clock, random: Random) {
  return {
    /** @param times how much harder than the easiest */
    async make({ line, network }: Where, session: string, times: number): Promise<ProofChallenge> {
      const key = ring.signingKid;
      const [nonce, salt] = [random.bytes(16), random.bytes(16)];
      const password = Buffer.alloc(20, nonce);
      password.writeUInt32BE(random.bytes(4).readUInt32BE() % (attemptsMax * times), 16);
      const derived = await derive(password, salt, cost, keyLength, "sha256");
      const parameters = {
        algorithm: "PBKDF2/SHA-256" as const,
        cost,
        data: { key, line, network, session, times },
        expiresAt: Math.ceil((clock.now() + proofValidMs) / 1_000),
        keyLength,
        keyPrefix: derived.toString("hex").slice(0, prefixLength),
        keySignature: sign(keyContext, key, derived) ?? "",
        nonce: nonce.toString("hex"),
        salt: salt.toString("hex"),
      };
      return { parameters, signature: sign(signatureContext, key, JSON.stringify(parameters)) ?? "" };
    },

    /** @param text Altcha's payload: the challenge with its solution, as JSON in base64 */
    verify(line: string, text: string): Proved | ProofFault {
      const proof = read(text);
      if (proof === null) return "unreadable";
      const { challenge, solution } = proof;
      const { data, expiresAt, keySignature, nonce } = challenge.parameters;
      const isOurs = isSame(
        challenge.signature,
        sign(signatureContext, data.key, JSON.stringify(challenge.parameters)),
      );
      if (!isOurs) return "forged";
      if (data.line !== line) return "elsewhere";
      if (expiresAt * 1_000 <= clock.now()) return "expired";
      const isSolved = isSame(keySignature, sign(keyContext, data.key, Buffer.from(solution.derivedKey, "hex")));
      return isSolved ? { id: nonce, times: data.times, network: data.network, session: data.session } : "wrong";
    },
  };

  /** Undefined where this process does not know the key. */
  function sign(context: string, kid: string, what: string | Buffer): string | undefined {
    const secret = ring.secretOf(context, kid);
    return secret && createHmac("sha256", secret).update(what).digest("hex");
  }
}

function isSame(supplied: string, right: string | undefined): boolean {
  return right !== undefined && timingSafeEqual(Buffer.from(supplied), Buffer.from(right));
}

function read(text: string): z.output<typeof proofSchema> | null {
  if (text.length > proofLengthMax) return null;
  try {
    return proofSchema.parse(JSON.parse(Buffer.from(text, "base64").toString("utf8")));
  } catch {
    return null;
  }
}
