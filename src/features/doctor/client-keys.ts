import { createPrivateKey, type JsonWebKey, type KeyObject } from "node:crypto";
import type { ClientConfig } from "../../config/index.ts";
import type { ClientKey, ClientKeys } from "../../lib/openid/token-request.ts";
import { FileTooLargeError, readFileUpTo } from "../../lib/read-file.ts";
import { reasonOf } from "../../lib/reason.ts";
import { CommandError, UsageError } from "../../operate/commands/terminal.ts";
import { objectOf } from "./ask.ts";

const keyBytesMax = 65_536;

/**
 * Reads the keys that options name.
 *
 * @param given each `ID=FILE`
 * @throws UsageError where one is not of that form, or for no client that has a key; CommandError where the file holds none
 */
export async function readClientKeys(given: readonly string[], clients: readonly ClientConfig[]): Promise<ClientKeys> {
  const keys = new Map<string, ClientKey>();
  for (const each of given) {
    const end = each.indexOf("=");
    const [id, file] = [each.slice(0, end), each.slice(end + 1)];
    if (end < 1 || file === "") throw new UsageError("--client-key: expected ID=FILE, such as shop=shop-key.pem");
    const client = clients.find(({ clientId }) => clientId === id);
    if (client === undefined) throw new UsageError(`--client-key: no client of the file has the id ${id}`);
    const method = client.tokenEndpointAuthMethod;
    if (method !== "private_key_jwt") throw new UsageError(`--client-key: ${id} has no key, but ${method}`);
    keys.set(id, await readClientKey(file));
  }
  return keys;
}

/** @throws CommandError, which repeats nothing of the file */
async function readClientKey(file: string): Promise<ClientKey> {
  const text = await boundedText(file);
  const jwk = objectOf(text);
  const [alg, kid] = [jwk.alg, jwk.kid].map((value) => (typeof value === "string" ? value : undefined));
  try {
    const isJwk = typeof jwk.kty === "string";
    const key = createPrivateKey(isJwk ? { key: jwk as JsonWebKey, format: "jwk" } : text);
    const usual = usualAlg(key);
    if (usual !== undefined) return { key, alg: alg ?? usual, kid };
  } catch {
    // Told below, as for a key of another kind.
  }
  const wayOut = "give the site's private key as PEM without a passphrase or as a JWK, of RSA, P-256 or Ed25519";
  throw new CommandError(`--client-key: ${file} holds no key to sign with: ${wayOut}`);
}

async function boundedText(file: string): Promise<string> {
  try {
    return (await readFileUpTo(file, keyBytesMax)).toString("utf8");
  } catch (error) {
    if (error instanceof FileTooLargeError)
      throw new CommandError(`--client-key: ${file} is larger than ${keyBytesMax} bytes: is it the right file?`);
    throw new CommandError(`--client-key: ${file} cannot be read (${reasonOf(error)})`);
  }
}

/** Of those that the gateway takes; undefined for a key of another kind. */
function usualAlg({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): string | undefined {
  if (type === "ec") return details?.namedCurve === "prime256v1" ? "ES256" : undefined;
  return { rsa: "RS256", "rsa-pss": "PS256", ed25519: "EdDSA" }[String(type)];
}
