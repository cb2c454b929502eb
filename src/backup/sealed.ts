/** Secrets of a backup: encrypted by a passphrase (RFC 7518: PBES2-HS512+A256KW, A256GCM), so that the file may lie where backups lie. */
import { CompactEncrypt, compactDecrypt } from "jose";
import { SetupError } from "../lib/errors.ts";

const alg = "PBES2-HS512+A256KW";
const enc = "A256GCM";
/** OWASP's advice for PBKDF2 with HMAC-SHA-512. */
const rounds = 210_000;
const lengthMin = 16;

/** @throws SetupError for a passphrase that is too short to keep keys by */
export async function seal(text: string, passphrase: string): Promise<string> {
  if (passphrase.length < lengthMin)
    throw new SetupError(`USHER_BACKUP_PASSPHRASE: expected ${lengthMin} characters or more (openssl rand -hex 24)`);
  return new CompactEncrypt(new TextEncoder().encode(text))
    .setProtectedHeader({ alg, enc })
    .setKeyManagementParameters({ p2c: rounds })
    .encrypt(new TextEncoder().encode(passphrase));
}

/** @throws SetupError for another passphrase, or what was not sealed */
export async function unseal(sealed: string, passphrase: string): Promise<string> {
  const limits = { keyManagementAlgorithms: [alg], contentEncryptionAlgorithms: [enc], maxPBES2Count: rounds };
  try {
    const { plaintext } = await compactDecrypt(sealed, new TextEncoder().encode(passphrase), limits);
    return new TextDecoder().decode(plaintext);
  } catch {
    // No error is passed on: it may quote what was decrypted.
    throw new SetupError("the keys in the backup cannot be decrypted: is USHER_BACKUP_PASSPHRASE that of its export?");
  }
}
