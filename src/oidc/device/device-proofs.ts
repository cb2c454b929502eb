/** Proofs that a browser or app has its private key: those of DPoP (RFC 9449), each for a nonce that Usher has made. */
import { createHash } from "node:crypto";
import { calculateJwkThumbprint, decodeJwt, EmbeddedJWK, type JWK, jwtVerify } from "jose";
import type { Clock } from "../../lib/clock-and-random.ts";
import { decodeNumber, encodeNumber, type KeyRing, readSigned, type WaitingRoom } from "../../room/index.ts";

const context = "usher device nonce v1";
/** A page that nobody looks at may be slow to sign. */
const nonceMs = 5 * 60_000;
/** Characters. Of Usher's pages a proof has about 700. */
const proofMax = 2_048;
const nonceMax = 256;

type NamedRoom = Pick<WaitingRoom, "name">;

/** What a proof is for: a login or link of a room, by its address; `null`: what an app asks of the room. */
export function purposeOf({ name }: NamedRoom, address: string | null): string {
  return createHash("sha256")
    .update(`${name}\n${address ?? ""}`)
    .digest("base64url")
    .slice(0, 22);
}

/** `stale`: for no nonce that counts here now; `forged`: by no key, or for another request. */
export type ProofReading = { readonly thumbprint: string; readonly purpose: string } | "stale" | "forged";

export type DeviceProofs = ReturnType<typeof createDeviceProofs>;

export function createDeviceProofs(ring: KeyRing, clock: Clock) {
  /** The purpose of a nonce that counts in this room; null for any other. */
  function readNonce({ name }: NamedRoom, nonce: unknown): string | null {
    const token = typeof nonce === "string" ? nonce : undefined;
    const [ofRoom, purpose = "", expires] = readSigned(ring, context, token, nonceMax);
    return ofRoom === name && clock.now() < decodeNumber(expires) ? purpose : null;
  }

  return {
    nonceFor(room: NamedRoom, purpose: string): string {
      return ring.sign(context, [room.name, purpose, encodeNumber(clock.now() + nonceMs)].join("~"));
    },

    /**
     * The nonce is looked at first: no signature is verified for anybody who has not asked.
     *
     * @param uri of the request that it came with, by POST, without a query
     */
    async read(room: NamedRoom, proof: string, uri: string): Promise<ProofReading> {
      if (proof.length > proofMax) return "forged";
      try {
        const { nonce, htm, htu } = decodeJwt(proof);
        if (htm !== "POST" || htu !== uri) return "forged";
        const purpose = readNonce(room, nonce);
        if (purpose === null) return "stale";
        const { protectedHeader } = await jwtVerify(proof, EmbeddedJWK, { algorithms: ["ES256"], typ: "dpop+jwt" });
        return { thumbprint: await calculateJwkThumbprint(protectedHeader.jwk as JWK), purpose };
      } catch {
        return "forged";
      }
    },
  };
}
