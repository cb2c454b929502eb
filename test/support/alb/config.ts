/** The settings of the action, as in the API Reference (api), in our notation. */

export interface AuthenticateOidcConfig {
  issuer: string;
  authorizationEndpoint: string;
  tokenEndpoint: string;
  userInfoEndpoint: string;
  clientId: string;
  clientSecret: string;
  /** Default `openid`. */
  scope?: string;
  /** Default `AWSELBAuthSessionCookie`. */
  sessionCookieName?: string;
  /** The longest that a session lasts; default 604800 (7 days). */
  sessionTimeoutSec?: number;
  /** Up to 10, sent along to the authorization endpoint. */
  authenticationRequestExtraParams?: Record<string, string>;
  /** Default `authenticate`. */
  onUnauthenticatedRequest?: "authenticate" | "allow" | "deny";
}

const EXTRA_PARAMS_MAX = 10;

/** @throws Error when the API would refuse the action. */
export function checkConfig(config: AuthenticateOidcConfig): void {
  const { issuer, authorizationEndpoint, tokenEndpoint, userInfoEndpoint } = config;
  // "This must be a full URL, including the HTTPS protocol, the domain, and the path" (api).
  for (const url of [issuer, authorizationEndpoint, tokenEndpoint, userInfoEndpoint]) {
    if (new URL(url).protocol !== "https:") throw new Error(`not an https URL: ${url}`);
  }
  const extra = Object.keys(config.authenticationRequestExtraParams ?? {}).length;
  if (extra > EXTRA_PARAMS_MAX) throw new Error(`${extra} extra parameters, at most ${EXTRA_PARAMS_MAX}`);
}

/** Ends a request with a page of the load balancer's own. `reason` is what its access log calls it, where it has a name. */
export class AlbError extends Error {
  readonly status: number;
  readonly reason: string;

  constructor(status: number, reason: string) {
    super(`${status} ${reason}`);
    this.status = status;
    this.reason = reason;
  }
}
