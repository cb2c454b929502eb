/** Plain pages for people who operate or help: no script, nothing from elsewhere, in no frame and in no cache. */
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ejs from "ejs";
import type { Context } from "koa";

export type PlainPage<Page extends object> = (ctx: Context, status: number, page: Page) => void;

const style = `:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;margin:0}main{max-width:26rem;margin:10vh auto;padding:0 1rem}
label{display:block;margin:1.5rem 0 .25rem}input{box-sizing:border-box;width:100%;font:inherit;padding:.5rem}
button,.button{display:inline-block;margin-top:1rem;padding:.5rem 1rem;font:inherit}.problem{border-left:.25rem solid #c00;padding-left:.75rem}
dt{font-weight:600}dd{margin:0 0 .5rem;overflow-wrap:anywhere}`;
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${hash("sha256", style, "base64")}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** @param name of the template in `views/operators`; what it is given stands in `page`, and is escaped */
export function createPlainPage<Page extends object>(viewsDir: string, name: string): PlainPage<Page> {
  const options = {
    strict: true,
    _with: false,
    localsName: "locals",
    destructuredLocals: ["page"],
    rmWhitespace: true,
  };
  const render = ejs.compile(readFileSync(join(viewsDir, "operators", name), "utf8"), options);
  return (ctx, status, page) => {
    ctx.status = status;
    ctx.set({
      "Cache-Control": "no-store",
      "Content-Security-Policy": policy,
      "Cross-Origin-Opener-Policy": "same-origin",
      // Forms say where they come from, and neither a path nor a token goes along. With `no-referrer` they would send `Origin: null`.
      "Referrer-Policy": "strict-origin",
      "X-Content-Type-Options": "nosniff",
      "X-Frame-Options": "DENY",
    });
    ctx.type = "html";
    ctx.body = render({ page: { ...page, style } });
  };
}
