import type { UsherConfig } from "../../../config/index.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { AdminSessions } from "../../../registry/index.ts";
import { createSignInCookies } from "./cookies.ts";
import { createSignInPage } from "./page.ts";
import { createSignInProvider } from "./provider.ts";
import { signInPath } from "./return-to.ts";
import { createSignInLink, type SignInLinkParts } from "./sign-in-link.ts";

interface Parts extends SignInLinkParts {
  readonly sessions: AdminSessions;
  readonly viewsDir: string;
  readonly clock: Clock;
}

/** What sign-in is made of, by the configuration. */
export function createSignIn(admin: UsherConfig["admin"], { sessions, viewsDir, clock, ...parts }: Parts) {
  const { url: address, signIn, session } = admin;
  const cookies = createSignInCookies(address?.startsWith("https:") ?? false, session.lifetimeMs);
  return {
    browsers: { sessions, cookies, address },
    signIn:
      signIn === null || address === null
        ? null
        : { rules: signIn.rules, provider: createSignInProvider(signIn, `${address}${signInPath}/callback`, clock) },
    link: createSignInLink(admin, parts),
    page: createSignInPage(viewsDir),
  };
}
