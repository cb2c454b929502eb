/** What shows to the token endpoint who a client is (OpenID Connect Core, section 9). */
import { type KeyObject, randomUUID } from "node:crypto";
import { SignJWT } from "jose";

/** A private key with which a client signs assertions (`private_key_jwt`, RFC 7523). */
export interface ClientKey {
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

/** Seconds; the request is sent at once. */
const assertionSec = 60;
const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/** Null for a client whose key or secret is not at hand: nobody but the site can show who it is. */
export function tokenRequestOf(
  issuer: string,
  client: {
    readonly clientId: string;
    readonly clientSecret: string | null;
    readonly tokenEndpointAuthMethod: string;
  },
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
  if (tokenEndpointAuthMethod === "none") return async (fields) => post({ ...fields, client_id: clientId });
  if (clientSecret === null) return null;
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
