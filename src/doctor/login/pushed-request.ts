import type { ClientConfig } from "../../config/index.ts";
import type { LoginRequest } from "../../lib/openid/login-request.ts";
import type { TokenRequest } from "../../lib/openid/token-request.ts";
import { ask, objectOf } from "../asking/ask.ts";
import { answered, Found } from "./found.ts";

/**
 * Where the browser begins the login. The request is pushed before where the client has to (RFC 9126).
 *
 * @param tokenRequest is used for that alone
 * @throws Found where it is refused
 */
export async function startOf(
  issuer: string,
  { clientId, requirePushedAuthorizationRequests: isPushed }: ClientConfig,
  { url }: LoginRequest,
  tokenRequest: TokenRequest | null,
): Promise<string> {
  if (!isPushed || tokenRequest === null) return url;
  const init = await tokenRequest(Object.fromEntries(new URL(url).searchParams));
  init.body.delete("grant_type");
  const { status, text } = answered(await ask(`${issuer}/par`, init), "/par");
  const { request_uri, error } = objectOf(text);
  if (typeof request_uri === "string") {
    return `${issuer}/authorize?${new URLSearchParams({ client_id: clientId, request_uri })}`;
  }
  if (status === 429) throw new Found("warning", `/par refused ${clientId} (429): try again in a minute.`, "login");
  const reason = typeof error === "string" ? error : "and not as Usher does";
  const wayOut =
    "let the proxy send POST requests with their body on, and compare the client in this file with the gateway's";
  throw new Found("fault", `/par answered ${status} ${reason} to a login of ${clientId}: ${wayOut}.`, "login");
}
