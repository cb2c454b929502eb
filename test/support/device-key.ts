/** A browser's or an app's key for places that are bound to it, and its DPoP proofs. */
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";

export interface ProofOptions {
  readonly header?: Record<string, unknown>;
  readonly claims?: JWTPayload;
}

export interface DeviceKey {
  readonly thumbprint: string;
  /** For a POST to this address. */
  prove(url: string | URL, nonce: string, changes?: ProofOptions): Promise<string>;
}

export async function createDeviceKey(algorithm = "ES256"): Promise<DeviceKey> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true });
  const jwk = await exportJWK(publicKey);
  return {
    thumbprint: await calculateJwkThumbprint(jwk),
    prove: (url, nonce, { header, claims } = {}) =>
      new SignJWT({ jti: crypto.randomUUID(), htm: "POST", htu: String(url), nonce, ...claims })
        .setIssuedAt()
        .setProtectedHeader({ alg: algorithm, typ: "dpop+jwt", jwk, ...header })
        .sign(privateKey),
  };
}
