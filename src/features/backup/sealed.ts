/**
 * What a passphrase protects of a backup (RFC 7518: PBES2-HS512+A256KW, A256GCM), so that the file may lie where backups lie: its keys are
 * encrypted, and a digest of all of it, so that nobody without the passphrase writes or changes one.
 */
import { CompactEncrypt, compactDecrypt } from "jose";
import { SetupError } from "../../lib/errors.ts";
import { type BackupFile, digestOf } from "./backup-file.ts";

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
    throw new SetupError(
      "what is sealed in the backup cannot be opened: is USHER_BACKUP_PASSPHRASE that of its export?",
    );
  }
}

/** The document with a seal of all that it says. @throws SetupError for a passphrase that is too short */
export async function sealed<Document extends object>(document: Document, passphrase: string) {
  return { ...document, seal: await seal(digestOf(document), passphrase) };
}

/**
 * Whether nobody without the passphrase has changed the file since its export.
 *
 * @param isUnsealedTaken whether one without a seal is taken
 * @throws SetupError that says what is wrong, and what to do
 */
export async function requireWhole(
  { backup, seal: found, digest }: BackupFile,
  passphrase: string | null,
  isUnsealedTaken: boolean,
): Promise<void> {
  if (found === null) {
    if (isUnsealedTaken && Object.keys(backup.secrets).length === 0) return;
    throw new SetupError(
      "the backup has no seal, so anybody may have changed it: export with USHER_BACKUP_PASSPHRASE. If you know where the file has been, " +
        "import one without keys with --unsealed, and one of Usher 0.2.0, which has keys and no seal, with that version",
    );
  }
  if (passphrase === null)
    throw new SetupError("the backup is sealed by a passphrase: set USHER_BACKUP_PASSPHRASE to that of its export");
  if ((await unseal(found, passphrase)) !== digest)
    throw new SetupError("the backup was changed after its export, or is only a part of one: take another one");
}
