import type { ProfileName } from "./config.ts";

/** What is known of a kind of relying party. Sources: the vendors' documentation. */
export interface ProfileDefaults {
  /** A little less than the time the relying party itself remembers a login it has begun. */
  readonly loginTimeoutMs: number;
  /** Whether a login can be started at the root of the redirect URI's origin. */
  readonly startsLoginAtOrigin: boolean;
}

export const PROFILES: Readonly<Record<ProfileName, ProfileDefaults>> = {
  generic: { loginTimeoutMs: 300_000, startsLoginAtOrigin: true },
  // The load balancer's client login timeout is 15 minutes, fixed.
  alb: { loginTimeoutMs: 840_000, startsLoginAtOrigin: true },
  // Cognito cancels after 5 minutes, and its redirect URI is on the user pool's domain, not the site's.
  cognito: { loginTimeoutMs: 270_000, startsLoginAtOrigin: false },
  // OIDCStateTimeout of mod_auth_openidc is 300 seconds.
  apache: { loginTimeoutMs: 270_000, startsLoginAtOrigin: true },
};

export const PROFILE_NAMES = ["generic", "alb", "cognito", "apache"] as const satisfies readonly ProfileName[];
