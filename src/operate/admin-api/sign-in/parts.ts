import type { UsherConfig } from "../../../config/index.ts";
import type { Clock } from "../../../lib/clock-and-random.ts";
import type { AdminSessions } from "../../../registry/index.ts";
import { createPlainPage, type PlainPage } from "../plain-page.ts";
import type { Granted } from "./claims.ts";
import { createSignInCookies } from "./cookies.ts";
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

export interface SignInPage {
  readonly title: string;
  /** What went wrong, in words; null for nothing. */
  readonly problem: string | null;
  readonly signedIn: (Granted & { readonly name: string; readonly csrfToken: string }) | null;
  /** Where the sign-in at the provider begins; null where there is none. */
  readonly startUrl: string | null;
  /** Of a link that signs in once; null where somebody came by none. */
  readonly linkToken: string | null;
  readonly returnTo: string;
  /** Where the session at the provider ends; null for nowhere. */
  readonly endSessionUrl: string | null;
}

/** The plain page on which operators sign in and out. */
export function createSignInPage(viewsDir: string): PlainPage<SignInPage> {
  return createPlainPage(viewsDir, "sign-in.ejs");
}
