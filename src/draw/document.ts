import { type Fields, hex, isWhole, readFields, ShapeError } from "./fields.ts";
import { isPublicJwk, type PublicJwk, thumbprintOf } from "./jws.ts";
import type { NumberRange } from "./numbers.ts";

export const stages = ["committed", "closing", "closed", "drawn", "cancelled"] as const;
export type DrawStage = (typeof stages)[number];

/** What GET /rooms/{room}/draw answers: all that is public of the draws of an edition. */
export interface DrawDocument {
  readonly issuer: string;
  readonly room: string;
  readonly edition: number;
  readonly order: "random" | "arrival";
  readonly draws: readonly PublishedDraw[];
  /** In words. */
  readonly recipe: readonly string[];
  readonly updated_at: string;
}

/** Times in ISO 8601; what is not known yet is null. */
export interface DrawFacts {
  readonly id: number;
  readonly stage: DrawStage;
  readonly commitment: string;
  readonly first: number | null;
  readonly last: number | null;
  readonly gaps: readonly NumberRange[];
  readonly entries: number | null;
  readonly opens_at: string | null;
  readonly closes_at: string | null;
  readonly seed: string | null;
  /** Null where none was announced. */
  readonly beacon: PublishedBeacon | null;
}

export interface PublishedDraw extends DrawFacts {
  /** With which the record and all receipts of the draw are signed; `kid` is its thumbprint. */
  readonly receipt_key: PublicJwk & { readonly kid: string };
  /** The facts once more, signed: see draw-statement.ts. */
  readonly signed: string;
}

/** The chain, so that nobody need know it, and its round. Hexadecimal texts; times in seconds, but for `published_at`. */
export interface PublishedBeacon {
  readonly chain: string;
  readonly public_key: string;
  readonly genesis: number;
  readonly period: number;
  readonly round: number | null;
  readonly published_at: string | null;
  readonly signature: string | null;
  readonly randomness: string | null;
  /** Announced, and not to be had in time. */
  readonly fallback: "unavailable" | null;
}

/** @throws ShapeError which says where the document is not as it should be */
export function readDrawDocument(value: unknown): DrawDocument {
  const fields = readFields(value, "");
  return {
    issuer: fields.text("issuer"),
    room: fields.text("room"),
    edition: fields.whole("edition"),
    order: fields.oneOf("order", ["random", "arrival"]),
    draws: fields.list("draws", readDraw),
    recipe: fields.list("recipe", readSentence),
    updated_at: fields.time("updated_at"),
  };
}

function readDraw(value: unknown, path: string): PublishedDraw {
  const fields = readFields(value, path);
  const { whole, time, text } = fields;
  return {
    id: whole("id", 1),
    stage: fields.oneOf("stage", stages),
    commitment: text("commitment", hex(32)),
    first: fields.orNull("first", (name) => whole(name, 1)),
    last: fields.orNull("last", (name) => whole(name)),
    gaps: fields.list("gaps", readRange),
    entries: fields.orNull("entries", (name) => whole(name)),
    opens_at: fields.orNull("opens_at", time),
    closes_at: fields.orNull("closes_at", time),
    seed: fields.orNull("seed", (name) => text(name, hex(32))),
    beacon: fields.orNull("beacon", (name) => readBeacon(fields.object(name))),
    receipt_key: readKey(fields),
    signed: text("signed"),
  };
}

function readBeacon(fields: Fields): PublishedBeacon {
  return {
    chain: fields.text("chain", hex(32)),
    public_key: fields.text("public_key", hex(96)),
    genesis: fields.whole("genesis"),
    period: fields.whole("period", 1),
    round: fields.orNull("round", (name) => fields.whole(name, 1)),
    published_at: fields.orNull("published_at", fields.time),
    signature: fields.orNull("signature", (name) => fields.text(name, hex(48))),
    randomness: fields.orNull("randomness", (name) => fields.text(name, hex(32))),
    fallback: fields.orNull("fallback", (name) => fields.oneOf(name, ["unavailable"])),
  };
}

function readKey(fields: Fields): PublicJwk & { readonly kid: string } {
  const jwk = fields.value("receipt_key");
  if (!isPublicJwk(jwk)) return fields.fail("receipt_key", "a public key (JWK) for Ed25519");
  const { kty, crv, x } = jwk;
  return { kty, crv, x, kid: thumbprintOf(jwk) };
}

function readRange(value: unknown, path: string): NumberRange {
  const [from, to]: unknown[] = Array.isArray(value) && value.length === 2 ? value : [];
  if (!isWhole(from, 1) || !isWhole(to, 1))
    throw new ShapeError(`${path}: expected two numbers, the first and the last`);
  return [from, to];
}

function readSentence(value: unknown, path: string): string {
  if (typeof value !== "string") throw new ShapeError(`${path}: expected a text`);
  return value;
}
