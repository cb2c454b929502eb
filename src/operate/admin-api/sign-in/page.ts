import { createPlainPage, type PlainPage } from "../plain-page.ts";
import type { Granted } from "./claims.ts";

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
