/** Keys on their way from process to process: encrypted with what all of them have, a ticket key of the configuration. */
import { hkdfSync } from "node:crypto";
import { CompactEncrypt, compactDecrypt, decodeProtectedHeader } from "jose";
import { z } from "zod";
import type { MacKey } from "../../config/index.ts";
import { keyPurposes } from "../content.ts";
import { type KeyName, type KeyWithText, readAvailableKey } from "./held-keys.ts";

const wrappingKeyBytes = 32;

const plaintext = z.strictObject({
  issuer: z.string(),
  kid: z.string(),
  purpose: z.enum(keyPurposes),
  alg: z.string().nullable(),
  key: z.string(),
});

/** Encrypts a key (RFC 7516: `dir`, A256GCM). What it is and whose goes in with it, so that it passes for no other. */
export async function wrapKey(
  root: MacKey,
  issuer: string,
  { kid, purpose, alg }: KeyName,
  key: string,
): Promise<string> {
  const content = JSON.stringify({ issuer, kid, purpose, alg, key } satisfies z.infer<typeof plaintext>);
  return new CompactEncrypt(new TextEncoder().encode(content))
    .setProtectedHeader({ alg: "dir", enc: "A256GCM", kid: root.kid })
    .encrypt(wrappingKey(root));
}

/** Null where none of the roots has wrapped this very key of this issuer. */
export async function unwrapKey(
  roots: readonly MacKey[],
  issuer: string,
  name: KeyName,
  wrapped: string,
): Promise<KeyWithText | null> {
  const kid = wrappedWith(wrapped);
  const root = roots.find((candidate) => candidate.kid === kid);
  if (root === undefined) return null;
  try {
    const options = { keyManagementAlgorithms: ["dir"], contentEncryptionAlgorithms: ["A256GCM"] };
    const { plaintext: bytes } = await compactDecrypt(wrapped, wrappingKey(root), options);
    const content = plaintext.parse(JSON.parse(new TextDecoder().decode(bytes)));
    const isThisOne =
      content.issuer === issuer &&
      content.kid === name.kid &&
      content.purpose === name.purpose &&
      content.alg === name.alg;
    return isThisOne ? { key: readAvailableKey(name.purpose, content.key), text: content.key } : null;
  } catch {
    // A failure here means a foreign key; the error may quote what was decrypted.
    return null;
  }
}

/** The id of the ticket key that it takes to unwrap it; empty for what is not wrapped at all. */
export function wrappedWith(wrapped: string): string {
  try {
    return decodeProtectedHeader(wrapped).kid ?? "";
  } catch {
    return "";
  }
}

/** RFC 5869. A key of its own, so that nothing that is signed with the ticket key says anything about it. */
function wrappingKey({ secret }: MacKey): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, "", "usher registry key wrapping", wrappingKeyBytes));
}
