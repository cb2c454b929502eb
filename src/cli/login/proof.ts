/** What shows to the token endpoint who a client is (OpenID Connect Core, section 9). */
import { createPrivateKey, type JsonWebKey, type KeyObject, randomUUID } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { SignJWT } from "jose";
import type { ClientConfig } from "../../config/index.ts";
import { objectOf } from "../finding.ts";
import { CommandError, reasonOf, UsageError } from "../terminal.ts";

/** A private key with which a client signs assertions (`private_key_jwt`, RFC 7523). */
interface ClientKey {
  readonly key: KeyObject;
  readonly alg: string;
  readonly kid: string | undefined;
}

/** By the id of the client. */
export type ClientKeys = ReadonlyMap<string, ClientKey>;

/** A request to the token endpoint. @param fields of its body, without what shows the client */
export type TokenRequest = (fields: Readonly<Record<string, string>>) => Promise<{
  readonly method: "POST";
  readonly headers: Record<string, string>;
  readonly body: URLSearchParams;
}>;

const keyBytesMax = 65_536;
/** Seconds; the request is sent at once. */
const assertionSec = 60;
const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/** Null for a client whose key is not at hand: nobody but the site can show who it is. */
export function tokenRequestOf(
  issuer: string,
  client: Pick<ClientConfig, "clientId" | "clientSecret" | "tokenEndpointAuthMethod">,
  keys: ClientKeys,
): TokenRequest | null {
  const { clientId, clientSecret, tokenEndpointAuthMethod } = client;
  const key = keys.get(clientId);
  if (tokenEndpointAuthMethod === "private_key_jwt") {
    if (key === undefined) return null;
    return async (fields) => {
      const client_assertion = await assertionOf(issuer, clientId, key);
      return post({ ...fields, client_assertion_type: assertionType, client_assertion });
    };
  }
  if (clientSecret === null) return async (fields) => post({ ...fields, client_id: clientId });
  if (tokenEndpointAuthMethod === "client_secret_post") {
    return async (fields) => post({ ...fields, client_id: clientId, client_secret: clientSecret });
  }
  const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
  return async (fields) => post(fields, { authorization: `Basic ${Buffer.from(pair).toString("base64")}` });
}

function post(fields: Readonly<Record<string, string>>, headers: Record<string, string> = {}) {
  const body = new URLSearchParams({ grant_type: "authorization_code", ...fields });
  return { method: "POST" as const, headers, body };
}

function assertionOf(issuer: string, clientId: string, { key, alg, kid }: ClientKey): Promise<string> {
  return new SignJWT()
    .setProtectedHeader({ alg, ...(kid !== undefined && { kid }) })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setAudience(issuer)
    .setJti(randomUUID())
    .setIssuedAt()
    .setExpirationTime(`${assertionSec}s`)
    .sign(key);
}

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
    if ((await stat(file)).size <= keyBytesMax) return await readFile(file, "utf8");
  } catch (error) {
    throw new CommandError(`--client-key: ${file} cannot be read (${reasonOf(error)})`);
  }
  throw new CommandError(`--client-key: ${file} is larger than ${keyBytesMax} bytes: is it the right file?`);
}

/** Of those that the gateway takes; undefined for a key of another kind. */
function usualAlg({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): string | undefined {
  if (type === "ec") return details?.namedCurve === "prime256v1" ? "ES256" : undefined;
  return { rsa: "RS256", "rsa-pss": "PS256", ed25519: "EdDSA" }[String(type)];
}
