/**
 * The header `x-amzn-oidc-data`: the user's claims as a JWT that the load balancer signs (guide, "User claims
 * encoding and signature verification").
 */
import { createPublicKey, generateKeyPairSync, randomUUID, sign, verify } from "node:crypto";

/** Not documented. It is made anew for every request to the target. */
const LIFETIME_SEC = 120;

export interface OidcDataSigner {
  readonly keyId: string;
  /** PEM. Applications fetch it from `https://public-keys.auth.elb.REGION.amazonaws.com/KEY-ID`. */
  readonly publicKey: string;
  sign(claims: Record<string, unknown>, issuer: string, clientId: string, nowMs: number): string;
}

export function createOidcDataSigner(loadBalancerArn: string): OidcDataSigner {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const keyId = randomUUID();
  return {
    keyId,
    publicKey: publicKey.export({ type: "spki", format: "pem" }).toString(),
    sign(claims, issuer, clientId, nowMs) {
      const exp = Math.floor(nowMs / 1_000) + LIFETIME_SEC;
      // The fields that the guide lists, in its order.
      const header = { alg: "ES256", kid: keyId, signer: loadBalancerArn, iss: issuer, client: clientId, exp };
      const signed = `${encode(header)}.${encode(claims)}`;
      const signature = sign("sha256", Buffer.from(signed), { key: privateKey, dsaEncoding: "ieee-p1363" });
      return `${signed}.${padded(signature)}`;
    },
  };
}

/** Header and claims of such a token. Throws unless `publicKey` has signed it. */
export function verifyOidcData(token: string, publicKey: string) {
  const [header = "", claims = "", signature = ""] = token.split(".");
  const key = { key: createPublicKey(publicKey), dsaEncoding: "ieee-p1363" as const };
  const isGenuine = verify("sha256", Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, "base64url"));
  if (!isGenuine) throw new Error("x-amzn-oidc-data is not signed by the load balancer");
  return { header: decode(header), claims: decode(claims) };
}

function encode(value: object): string {
  return padded(Buffer.from(JSON.stringify(value)));
}

function decode(text: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(text, "base64url").toString()) as Record<string, unknown>;
}

/** With padding, which is part of what is signed, and which standard libraries do not take (the same section). */
function padded(bytes: Buffer): string {
  return bytes.toString("base64").replaceAll("+", "-").replaceAll("/", "_");
}
