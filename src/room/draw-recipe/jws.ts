import { ed25519 } from "@noble/curves/ed25519.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";

/** A public key (RFC 8037). */
export interface PublicJwk {
  readonly kty: "OKP";
  readonly crv: "Ed25519";
  readonly x: string;
}

/** What receipts, and the records of draws, are signed with. */
export interface ReceiptKey {
  readonly jwk: PublicJwk;
  /** The thumbprint of `jwk` (RFC 7638). */
  readonly kid: string;
  sign(message: Uint8Array): Uint8Array;
}

/** RFC 9864. */
const algorithm = "Ed25519";
/** Characters. Longer ones are not looked at: a record with very many gaps is the longest that there is. */
const lengthMax = 1_000_000;

/**
 * @param seed the private key, 32 bytes
 * @param sign with the same key, where something faster is at hand
 */
export function createReceiptKey(seed: Uint8Array, sign?: (message: Uint8Array) => Uint8Array): ReceiptKey {
  const jwk: PublicJwk = { kty: "OKP", crv: "Ed25519", x: toBase64url(ed25519.getPublicKey(seed)) };
  return { jwk, kid: thumbprintOf(jwk), sign: sign ?? ((message) => ed25519.sign(message, seed)) };
}

/** RFC 7638, as RFC 8037 has it for keys of this kind. */
export function thumbprintOf({ crv, kty, x }: PublicJwk): string {
  return toBase64url(sha256(utf8ToBytes(JSON.stringify({ crv, kty, x }))));
}

/** A compact JWS (RFC 7515) that carries its public key. The same claims make the same text each time. */
export function signJws({ jwk, kid, sign }: ReceiptKey, type: string, claims: object): string {
  const header = { alg: algorithm, typ: type, jwk, kid };
  const signed = [header, claims].map((part) => toBase64url(utf8ToBytes(JSON.stringify(part)))).join(".");
  return `${signed}.${toBase64url(sign(utf8ToBytes(signed)))}`;
}

/** What a JWS of this type says, and the thumbprint of the key that it is signed with. Whether that is the right key is the caller's to check. A text is why it is none. */
export function readJws(text: string, type: string): { readonly claims: unknown; readonly kid: string } | string {
  const parts = text.split(".");
  const [head = "", body = "", signature = ""] = parts;
  if (parts.length !== 3 || text.length > lengthMax) return "it is no signed text of three parts";
  const header = readJson(head);
  const claims = readJson(body);
  if (header === undefined || claims === undefined) return "it cannot be read: part of it is missing or was changed";
  const { alg, typ, jwk, kid, crit } = Object(header);
  if (typ !== type) return `it is of the type ${typeof typ === "object" ? "object" : String(typ)}, not ${type}`;
  if (alg !== algorithm || crit !== undefined) return `it is not signed with ${algorithm} alone`;
  if (!isPublicJwk(jwk)) return "it does not carry its public key";
  if (kid !== thumbprintOf(jwk)) return "the name of its key is not the thumbprint of the key";
  if (!isSignature(jwk, `${head}.${body}`, signature)) return "its signature is wrong: it was changed or made up";
  return { claims, kid };
}

export function isPublicJwk(value: unknown): value is PublicJwk {
  const { kty, crv, x } = Object(value);
  return kty === "OKP" && crv === "Ed25519" && typeof x === "string" && /^[\w-]{43}$/.test(x);
}

function isSignature(jwk: PublicJwk, signed: string, signature: string): boolean {
  const bytes = fromBase64url(signature);
  const publicKey = fromBase64url(jwk.x);
  if (bytes === null || publicKey === null) return false;
  try {
    return ed25519.verify(bytes, utf8ToBytes(signed), publicKey, { zip215: false });
  } catch {
    // No point of the curve.
    return false;
  }
}

/** Undefined for what is no JSON. */
function readJson(part: string): unknown {
  const bytes = fromBase64url(part);
  if (bytes === null) return undefined;
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** RFC 4648, section 5, without padding. Browsers that can do it themselves are young. */
export function toBase64url(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** Null for what is no such text, or one that another text stands for too. */
export function fromBase64url(text: string): Uint8Array | null {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return null;
  const bytes = Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (char) => char.charCodeAt(0));
  return toBase64url(bytes) === text ? bytes : null;
}
