import type { ProfileName } from "./config.ts";

/** What is known of a kind of relying party. Sources: the vendors' documentation. */
export interface ProfileDefaults {
  /** A little less than the time the relying party itself remembers a login it has begun. */
  readonly loginTimeoutMs: number;
  /** Whether a login can be started at the root of the redirect URI's origin. */
  readonly startsLoginAtOrigin: boolean;
  /** Whether it uses refresh tokens, so that it gets them unless the configuration says otherwise. */
  readonly refreshTokens: boolean;
}

export const PROFILES: Readonly<Record<ProfileName, ProfileDefaults>> = {
  generic: { loginTimeoutMs: 300_000, startsLoginAtOrigin: true, refreshTokens: false },
  // The load balancer's client login timeout is 15 minutes, fixed. It renews the user's claims with a refresh token.
  alb: { loginTimeoutMs: 840_000, startsLoginAtOrigin: true, refreshTokens: true },
  // Cognito cancels after 5 minutes, and its redirect URI is on the user pool's domain, not the site's.
  cognito: { loginTimeoutMs: 270_000, startsLoginAtOrigin: false, refreshTokens: false },
  // OIDCStateTimeout of mod_auth_openidc is 300 seconds.
  apache: { loginTimeoutMs: 270_000, startsLoginAtOrigin: true, refreshTokens: false },
};

export const PROFILE_NAMES = ["generic", "alb", "cognito", "apache"] as const satisfies readonly ProfileName[];
