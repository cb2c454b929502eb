/** Plain pages for people who operate or help: no script, nothing from elsewhere, in no frame and in no cache. */
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ejs from "ejs";
import type { Context } from "koa";

export type PlainPage<Page extends object> = (ctx: Context, status: number, page: Page) => void;

/** @param name of the template in `views/operators`; what it is given stands in `page`, and is escaped */
export function createPlainPage<Page extends object>(viewsDir: string, name: string): PlainPage<Page> {
  const read = (file: string) => readFileSync(join(viewsDir, "operators", file), "utf8");
  const style = read("style.css");
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${hash("sha256", style, "base64")}'`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  const options = {
    strict: true,
    _with: false,
    localsName: "locals",
    destructuredLocals: ["page"],
    rmWhitespace: true,
  };
  const render = ejs.compile(read(name), options);
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
