/**
 * `usher/tokens`: makes invitations to rooms with `entry: invited` (docs/invitations.md), for the site or the mailing that sends them. Needs nothing
 * of Usher but its address and the key that the room's `invitations` name.
 */
import { createPrivateKey, type JsonWebKey, type KeyObject } from "node:crypto";
import { SignJWT } from "jose";

export interface InvitationSignerOptions {
  /** The public address of Usher, as its configuration has it. */
  readonly issuer: string;
  /** Id of the room. */
  readonly room: string;
  /** The secret that the room's `invitations.secret` has (HS256), 32 characters at least; or the private key, as PEM or JWK, whose public part is in `jwks` or at `jwks_uri`. */
  readonly key: { readonly secret: string } | { readonly privateKey: string | JsonWebKey; readonly kid?: string };
  /** Claim `iss`, which a room may ask for (`invitations.issuer`). */
  readonly from?: string;
  /** Where a link leads to after the wait; one of the room's `targets`. Default: the room's first. */
  readonly target?: string;
}

/** Who is invited. */
export interface Invited {
  /** Names one person and nobody else, the same in all of their invitations: a customer's id, an e-mail address. At most 256 characters. */
  readonly key: string;
  /** A class of the room's `invitations.classes`. */
  readonly class?: string;
  /** When the invitation ends: at most 366 days from now. */
  readonly expiresAt: Date;
  /** Before which it does not count. */
  readonly notBefore?: Date;
}

export interface InvitationSigner {
  /** The invitation as a JWT. @throws InvitationError */
  sign(invited: Invited): Promise<string>;
  /** The link for a message: it opens the room with the invitation. @throws InvitationError */
  link(invited: Invited): Promise<string>;
}

/** What is asked for cannot be an invitation; the message says why. */
export class InvitationError extends Error {
  override name = "InvitationError";
}

const keyLengthMax = 256;
const secretLengthMin = 32;
const validityMaxMs = 366 * 86_400_000;

/** @throws InvitationError for a key that cannot sign */
export function createInvitationSigner(options: InvitationSignerOptions): InvitationSigner {
  const { issuer, room, from, target } = options;
  const { key, header } = signingKeyOf(options.key);

  async function sign({ key: sub, class: classId, expiresAt, notBefore }: Invited): Promise<string> {
    const leftMs = expiresAt.getTime() - Date.now();
    if (sub === "" || sub.length > keyLengthMax)
      throw new InvitationError(`the key has 1 to ${keyLengthMax} characters`);
    if (Number.isNaN(leftMs)) throw new InvitationError("expiresAt is no date");
    if (leftMs <= 0) throw new InvitationError("expiresAt is over");
    if (leftMs > validityMaxMs) throw new InvitationError("expiresAt is more than 366 days from now");
    const jwt = new SignJWT({ room, ...(classId !== undefined && classId !== "" && { class: classId }) })
      .setProtectedHeader(header)
      .setAudience(issuer)
      .setSubject(sub)
      .setExpirationTime(expiresAt);
    if (from !== undefined) jwt.setIssuer(from);
    if (notBefore !== undefined) jwt.setNotBefore(notBefore);
    return jwt.sign(key);
  }

  return {
    sign,
    async link(invited) {
      const to = target === undefined ? "" : `target=${encodeURIComponent(target)}&`;
      return `${issuer}/rooms/${room}/enter?${to}invitation=${await sign(invited)}`;
    },
  };
}

function signingKeyOf(signer: InvitationSignerOptions["key"]): {
  key: Uint8Array | KeyObject;
  header: { alg: string; kid?: string };
} {
  if ("secret" in signer) {
    if (signer.secret.length < secretLengthMin) {
      throw new InvitationError(`the secret has fewer than ${secretLengthMin} characters`);
    }
    return { key: new TextEncoder().encode(signer.secret), header: { alg: "HS256" } };
  }
  const { privateKey, kid = typeof privateKey === "object" ? privateKey.kid : undefined } = signer;
  const key = readPrivateKey(privateKey);
  return { key, header: { alg: algorithmOf(key), ...(typeof kid === "string" && { kid }) } };
}

function readPrivateKey(written: string | JsonWebKey): KeyObject {
  try {
    return createPrivateKey(typeof written === "string" ? written : { key: written, format: "jwk" });
  } catch {
    // Its words may quote the key.
    throw new InvitationError("the private key cannot be read: give it as PEM (PKCS #8) or as a JWK");
  }
}

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string {
  if (asymmetricKeyType === "rsa") return "RS256";
  if (asymmetricKeyType === "ed25519") return "EdDSA";
  if (asymmetricKeyType === "ec" && asymmetricKeyDetails?.namedCurve === "prime256v1") return "ES256";
  throw new InvitationError("the private key is none of RSA, P-256 and Ed25519");
}
