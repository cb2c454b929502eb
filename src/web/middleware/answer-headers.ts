import type { Middleware } from "koa";

/**
 * Of every answer: no browser takes it for something else than it says, loads anything for it or shows it in a frame, and none asks
 * again without TLS. A page replaces the policy by its own.
 *
 * @param issuer whose answers they are: that of an http address says nothing of TLS
 */
export function answerHeadersOf(issuer: string): Readonly<Record<string, string>> {
  return {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    ...strictTransportOf(issuer),
  };
}

/** RFC 6797: for a year. Subdomains of the issuer's host are not Usher's to speak for. */
export function strictTransportOf(issuer: string): Readonly<Record<string, string>> {
  return issuer.startsWith("https:") ? { "Strict-Transport-Security": "max-age=31536000" } : {};
}

/** What proxies ask about a site's requests: these headers may end up at the site. */
const ofSites = /^\/rooms\/[^/]+\/verify(?:\/|$)/;

/** Pages of the authorization endpoint bring theirs along: it is not slowed down. */
export function setAnswerHeaders(issuer: string): Middleware {
  const headers = Object.entries(answerHeadersOf(issuer));
  return (ctx, next) => {
    if (ctx.path !== "/authorize" && !ofSites.test(ctx.path)) {
      for (const [name, value] of headers) ctx.res.setHeader(name, value);
    }
    return next();
  };
}
