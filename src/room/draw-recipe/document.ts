/** What a room publishes of its draws, and how it signs that. */
import { isPublicJwk, type PublicJwk, type ReceiptKey, readJws, signJws, thumbprintOf } from "./jws.ts";
import { type DrawRecord, faultOfNumbers, type NumberRange } from "./order.ts";
import { hex, isWhole, listOf, objectOf, oneOf, orNull, type Read, text, time, valueThat, whole } from "./shape.ts";

/** The chain, so that nobody need know it, and its round. Hexadecimal texts; times in seconds, but for `published_at`. */
const beacon = objectOf({
  chain: hex(32),
  public_key: hex(96),
  genesis: whole(),
  period: whole(1),
  round: orNull(whole(1)),
  published_at: orNull(time),
  signature: orNull(hex(48)),
  randomness: orNull(hex(32)),
  /** Announced, and not to be had in time. */
  fallback: orNull(oneOf("unavailable")),
});
export type PublishedBeacon = ReturnType<typeof beacon>;

const range = valueThat<NumberRange>(
  "two numbers, the first and the last",
  (value) => Array.isArray(value) && value.length === 2 && value.every((number) => isWhole(number, 1)),
);

/** Entries that the organiser has voided before the draw: as long as the void stands, nobody holds these numbers. */
const entryVoid = objectOf({
  reference: text,
  reason: text,
  at: time,
  /** Null where it stands. */
  restored_at: orNull(time),
  numbers: listOf(range),
});
export type PublishedVoid = ReturnType<typeof entryVoid>;

/** With which the record and all receipts of the draw are signed; `kid` is its thumbprint. */
const receiptKey: Read<PublicJwk & { readonly kid: string }> = (value, path) => {
  const jwk = valueThat<PublicJwk>("a public key (JWK) for Ed25519", isPublicJwk)(value, path);
  return { kty: jwk.kty, crv: jwk.crv, x: jwk.x, kid: thumbprintOf(jwk) };
};

/** Times in ISO 8601; what is not known yet is null. */
const facts = {
  id: whole(1),
  stage: oneOf("committed", "closing", "closed", "drawn", "cancelled"),
  commitment: hex(32),
  first: orNull(whole(1)),
  last: orNull(whole()),
  gaps: listOf(range),
  voids: orNull(listOf(entryVoid)),
  entries: orNull(whole()),
  opens_at: orNull(time),
  closes_at: orNull(time),
  seed: orNull(hex(32)),
  /** Null where none was announced. */
  beacon: orNull(beacon),
};
const draw = objectOf({ ...facts, receipt_key: receiptKey, signed: text });
export type PublishedDraw = ReturnType<typeof draw>;
export type DrawFacts = Pick<PublishedDraw, keyof typeof facts>;

/**
 * Reads what GET /rooms/{room}/draw answers: all that is public of the draws of an edition.
 *
 * @throws ShapeError which says where the document is not as it should be
 */
export function readDrawDocument(value: unknown): DrawDocument {
  return document(value, "");
}

const document = objectOf({
  issuer: text,
  room: text,
  edition: whole(),
  order: oneOf("random", "arrival"),
  draws: listOf(draw),
  /** In words. */
  recipe: listOf(text),
  updated_at: time,
});
export type DrawDocument = ReturnType<typeof document>;

/** The room of a draw document. */
export type DrawOwner = Pick<DrawDocument, "issuer" | "room" | "edition">;

/** What fixes the order of a draw; null where it is not done, or something is missing or cannot be. */
export function recordOf({ room, edition }: DrawOwner, draw: PublishedDraw): DrawRecord | null {
  const { id, stage, seed, first, last, gaps, beacon } = draw;
  if (stage !== "drawn" || seed === null || first === null || last === null) return null;
  if (faultOfNumbers({ first, last, gaps }) !== null) return null;
  const record = { room, edition, id, seed, first, last, gaps };
  if (beacon === null) return { ...record, beacon };
  if (beacon.fallback !== null) return { ...record, beacon: "fallback" };
  const { chain, round, randomness } = beacon;
  return round === null || randomness === null ? null : { ...record, beacon: { chain, round, randomness } };
}

const type = "usher-draw+jwt";

/** A draw as it is published. Says the same each time, whichever process is asked. */
export function publishDraw(key: ReceiptKey, owner: DrawOwner, facts: DrawFacts): PublishedDraw {
  const { jwk, kid } = key;
  return { ...facts, receipt_key: { ...jwk, kid }, signed: signJws(key, type, statementOf(owner, facts)) };
}

/** Why the signed record is not what the document says, or null. */
export function faultOfStatement(owner: DrawOwner, draw: PublishedDraw): string | null {
  const read = readJws(draw.signed, type);
  if (typeof read === "string") return `The signed record is worth nothing: ${read}`;
  if (read.kid !== draw.receipt_key.kid) return "The signed record is signed with another key than receipt_key";
  const signed = new Map<string, unknown>(Object.entries(Object(read.claims)));
  const different = Object.entries(statementOf(owner, draw))
    .filter(([name, value]) => !isSaid(value, signed.get(name) ?? null))
    .map(([name]) => (name === "iss" ? "issuer" : name === "draw" ? "id" : name));
  return different.length === 0 ? null : `The document does not say what the room has signed: ${different.join(", ")}`;
}

/** What the room signs of a draw, as far as it is known: so that nobody on the way can change how many took part. */
function statementOf({ issuer, room, edition }: DrawOwner, facts: DrawFacts) {
  const { id, stage, commitment, first, last, gaps, voids, entries, closes_at, seed, beacon } = facts;
  const fixed = { stage, commitment, first, last, gaps, voids, entries, closes_at, seed, beacon };
  return { iss: issuer, room, edition, draw: id, ...fixed };
}

/** Whether a value of the document is what was signed, where more may stand than this program knows of. */
function isSaid(value: unknown, signed: unknown): boolean {
  if (typeof value !== "object" || value === null) return value === signed;
  if (Array.isArray(value) && !(Array.isArray(signed) && signed.length === value.length)) return false;
  const fields = new Map<string, unknown>(Object.entries(Object(signed)));
  return Object.entries(value).every(([name, part]) => fields.has(name) && isSaid(part, fields.get(name)));
}
