import type { Context, Middleware } from "koa";
import type { DescribedRoute } from "../../lib/described-route.ts";

/**
 * Of every answer but one whose bytes are counted (`createStatusAnswer`): no browser takes it for something else than it says, loads anything for it or shows it in a frame, and none asks
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

/**
 * `robots.txt` keeps crawlers away, above all from `/authorize` and the links to rooms: a site's own pages lead there
 * while there is a line, and a crawler that read `noindex` there would drop the site's page. It also hides `noindex`
 * from crawlers that obey it, which may then list the bare addresses of links. So they may read the front page, to
 * which no site redirects; everywhere else `noindex` is for those that do not obey.
 */
const robotsTxt = "User-agent: *\nAllow: /$\nDisallow: /\n";

/** Of every page and all JSON but that one. Some crawlers support only one of the two words. */
export const robotsTag = ["X-Robots-Tag", "noindex, nofollow"] as const;

export const robotsRoute: DescribedRoute = {
  method: "GET",
  path: "/robots.txt",
  tag: "Operation",
  summary: "Keeps crawlers away.",
  answers: [{ status: 200, types: ["text/plain"], description: "Rules for crawlers." }],
};

/**
 * Answers `/robots.txt`, and sets `X-Robots-Tag` on what comes from behind it, and `Cache-Control: no-store` where nobody said
 * how long it may be kept. Redirects go without the tag: they lead to sites that may be found. The authorization endpoint is not
 * slowed down: its pages bring the headers along.
 */
export const tellRobots: Middleware = (ctx, next) => {
  if (ctx.path === "/authorize") return next();
  if (ctx.path === "/robots.txt" && (ctx.method === "GET" || ctx.method === "HEAD")) return answerRobots(ctx);
  return tagAnswer(ctx, next);
};

function answerRobots(ctx: Context): void {
  ctx.set("Cache-Control", "public, max-age=3600");
  ctx.type = "text/plain";
  ctx.body = robotsTxt;
}

async function tagAnswer(ctx: Context, next: () => Promise<unknown>): Promise<void> {
  await next();
  // Code that writes the answer without Koa has sent its headers.
  if (ctx.respond === false) return;
  if (!ctx.res.hasHeader("Cache-Control")) ctx.set("Cache-Control", "no-store");
  if (ctx.status < 300 || ctx.status > 399) ctx.set(...robotsTag);
}
