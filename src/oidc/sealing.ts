/** What others keep for us and must not read: encrypted by a key that all processes of an issuer have (JWE, RFC 7516). */
import { hkdfSync } from "node:crypto";
import { CompactEncrypt, compactDecrypt, decodeProtectedHeader } from "jose";
import type { MacKey } from "../config/config.ts";
import type { IssuerKeys } from "../registry/index.ts";

const keyBytes = 32;

export interface SealingParts {
  readonly issuer: string;
  readonly keys: Pick<IssuerKeys, "current">;
}

export type Sealing<Content> = ReturnType<typeof createSealing<Content>>;

/**
 * @param keys those of the tickets, which all processes of an issuer share: the first seals, all of them open
 * @param purpose what is sealed for one is nothing for another
 * @param lengthMax characters; longer texts are not looked at
 */
export function createSealing<Content>({ issuer, keys }: SealingParts, purpose: string, lengthMax: number) {
  return {
    async seal(content: Content): Promise<string> {
      const [key] = keys.current.tickets;
      if (key === undefined) throw new TypeError("there is no key to seal with");
      const text = new TextEncoder().encode(JSON.stringify({ issuer, content }));
      const header = { alg: "dir", enc: "A256GCM", kid: key.kid };
      return new CompactEncrypt(text).setProtectedHeader(header).encrypt(sealingKey(key, purpose));
    },

    /** Null for what no process of this issuer has sealed for this purpose. */
    async open(sealed: string): Promise<Content | null> {
      if (sealed.length > lengthMax) return null;
      try {
        const { kid } = decodeProtectedHeader(sealed);
        const key = keys.current.tickets.find((each) => each.kid === kid);
        if (key === undefined) return null;
        const options = { keyManagementAlgorithms: ["dir"], contentEncryptionAlgorithms: ["A256GCM"] };
        const { plaintext } = await compactDecrypt(sealed, sealingKey(key, purpose), options);
        const opened = JSON.parse(new TextDecoder().decode(plaintext)) as { issuer: string; content: Content };
        return opened.issuer === issuer ? opened.content : null;
      } catch {
        // Altered, or of somebody else.
        return null;
      }
    },
  };
}

/** RFC 5869. A key of its own, so that nothing that is signed with the ticket key says anything about it. */
function sealingKey({ secret }: MacKey, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, "", purpose, keyBytes));
}
