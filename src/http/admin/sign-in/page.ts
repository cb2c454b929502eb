import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ejs from "ejs";
import type { Context } from "koa";
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

const style = `:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;margin:0}main{max-width:26rem;margin:10vh auto;padding:0 1rem}
label{display:block;margin:1.5rem 0 .25rem}input{box-sizing:border-box;width:100%;font:inherit;padding:.5rem}
button,.button{display:inline-block;margin-top:1rem;padding:.5rem 1rem;font:inherit}.problem{border-left:.25rem solid #c00;padding-left:.75rem}`;
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${hash("sha256", style, "base64")}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The plain page on which operators sign in and out. It needs no script. */
export function createSignInPage(viewsDir: string): (ctx: Context, status: number, page: SignInPage) => void {
  const file = join(viewsDir, "operators", "sign-in.ejs");
  const options = {
    strict: true,
    _with: false,
    localsName: "locals",
    destructuredLocals: ["page"],
    rmWhitespace: true,
  };
  const render = ejs.compile(readFileSync(file, "utf8"), options);
  return (ctx, status, page) => {
    ctx.status = status;
    ctx.set({
      "Cache-Control": "no-store",
      "Content-Security-Policy": policy,
      "Cross-Origin-Opener-Policy": "same-origin",
      // Forms say where they come from, and nothing is said elsewhere.
      "Referrer-Policy": "same-origin",
      "X-Content-Type-Options": "nosniff",
      "X-Frame-Options": "DENY",
    });
    ctx.type = "html";
    ctx.body = render({ page: { ...page, style } });
  };
}
