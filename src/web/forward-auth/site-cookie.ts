/** Cookies of a site: they are Usher's to read and write there, by the site's proxy, which asks before each request. */
import type { Context } from "koa";
import { readCookie } from "../../oidc/index.ts";
import type { SiteCookie } from "../visitor/programs.ts";
import type { OriginalRequest } from "./original-request.ts";

/**
 * Of one host, or of the hosts of a domain. Browsers keep `__Host-` for cookies of one host (RFC 6265bis, section 4.1.3); one for several can be secure
 * at most.
 *
 * @param kind `admission` for the token of a visitor who is in, `ticket` for the place of one who waits
 */
export function siteCookie(
  ctx: Context,
  room: string,
  kind: "admission" | "ticket",
  { isHttps }: Pick<OriginalRequest, "isHttps">,
  domain: string | null,
): SiteCookie {
  const prefix = domain === null ? "__Host-" : "__Secure-";
  const name = `${isHttps ? prefix : ""}usher-${room}.${kind}`;
  return {
    value: readCookie(ctx.req.headers.cookie, name),
    set(value, maxAgeSec) {
      const scope = `${domain === null ? "" : `Domain=${domain}; `}Path=/`;
      const attributes = `${scope}; HttpOnly; SameSite=Lax${isHttps ? "; Secure" : ""}`;
      // One alone: proxies that pass on a header by its name bring the browser no second cookie.
      ctx.set("Set-Cookie", `${name}=${value}; Max-Age=${maxAgeSec}; ${attributes}`);
    },
  };
}
