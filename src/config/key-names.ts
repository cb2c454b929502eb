/**
 * The name of a key, out of a hash of it. No name starts with a hyphen: `usher keys retire -x…` would be taken for an
 * option.
 */
export function keyName(digest: Buffer, length: number): string {
  return digest.toString("base64url").slice(0, length).replace(/^-/, "_");
}
