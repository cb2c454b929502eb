import { hash } from "node:crypto";
import { type JWK, SignJWT } from "jose";
import type { ClientConfig } from "../../config/resolve/config.ts";
import type { EndedLogin } from "../../room/index.ts";
import type { OidcParts } from "../parts.ts";

/** The admission that has ended: of a visitor's several only this one. */
export type EndedAdmission = Pick<EndedLogin, "sub" | "admittedMs">;

export type LogoutTokens = ReturnType<typeof createLogoutTokens>;

/** What a site may take to answer, and the difference of its clock (OpenID Connect Back-Channel Logout 1.0 §4: two minutes at most). */
const validitySec = 120;

/**
 * The claim `sid`: names the admission at each client, and so the session on which a site's own session depends. A late
 * logout ends sessions of the old admission, and none that have begun since.
 */
export function sessionIdOf(clientId: string, { sub, admittedMs }: EndedAdmission): string {
  return hash("sha256", `${clientId} ${sub} ${admittedMs}`, "base64url").slice(0, 22);
}

/** Logout tokens (OpenID Connect Back-Channel Logout 1.0 §2.4), signed as the client's ID tokens are. */
export function createLogoutTokens(parts: Pick<OidcParts, "issuer" | "keys" | "clock" | "random">) {
  const { issuer, keys, clock, random } = parts;
  return {
    async issue(client: ClientConfig, ended: EndedAdmission): Promise<string> {
      const { signing } = keys.current;
      const jwk = signing.find(({ alg }) => alg === client.idTokenSignedResponseAlg) ?? signing[0];
      if (jwk === undefined) throw new Error("there is no key to sign with");
      const nowSec = Math.floor(clock.now() / 1_000);
      return new SignJWT({
        events: { "http://schemas.openid.net/event/backchannel-logout": {} },
        ...(client.backchannelLogoutSessionRequired && { sid: sessionIdOf(client.clientId, ended) }),
      })
        .setProtectedHeader({ alg: jwk.alg, kid: jwk.kid, typ: "logout+jwt" })
        .setIssuer(issuer)
        .setAudience(client.clientId)
        .setSubject(ended.sub)
        .setIssuedAt(nowSec)
        .setExpirationTime(nowSec + validitySec)
        .setJti(random.bytes(16).toString("base64url"))
        .sign(jwk as JWK);
    },
  };
}
