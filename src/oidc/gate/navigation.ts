/** How browsers come to the authorization endpoint and are sent on, as far as HTTP goes. */
import type { IncomingMessage } from "node:http";
import type { Context, Middleware } from "koa";
import { UsherError } from "../../lib/errors.ts";
import { targetLengthMax } from "../../lib/request-bounds.ts";

/** Only a navigation, or a client that says nothing about itself, may take a place in line. */
export type RequestKind = "navigation" | "head" | "prefetch" | "preview" | "embedded";

const previewAgents =
  /bot\b|bot\/|crawl|spider|slurp|facebookexternalhit|whatsapp|slackbot|embedly|preview|skypeuri|mastodon|iframely/i;

export function classifyRequest(request: IncomingMessage): RequestKind {
  const { headers } = request;
  const dest = headers["sec-fetch-dest"];
  // Browsers that name the mode name what it is for and whence it comes, too (Fetch Metadata). Node's own `fetch` does not.
  const isBrowser = dest !== undefined || headers["sec-fetch-site"] !== undefined;
  const mode = isBrowser ? headers["sec-fetch-mode"] : undefined;
  if (request.method === "HEAD") return "head";
  const purpose = headers["sec-purpose"] ?? headers.purpose ?? headers["x-moz"];
  if (purpose !== undefined && /prefetch|prerender|preview/i.test(String(purpose))) return "prefetch";
  if (mode !== undefined && mode !== "navigate") return "embedded";
  if (dest !== undefined && dest !== "document") return "embedded";
  if (mode === undefined && previewAgents.test(headers["user-agent"] ?? "")) return "preview";
  return "navigation";
}

/**
 * Whether a page of this issuer sent the visitor here, by its script or its link: browsers name the page's origin, and
 * these pages let them name the page (`Referrer-Policy: same-origin`). Either alone proves nothing: some clients always
 * send `Sec-Fetch-Site: same-origin`.
 */
export function comesFromPageOf(issuer: string, { headers }: IncomingMessage): boolean {
  return headers["sec-fetch-site"] === "same-origin" && headers.referer?.startsWith(`${issuer}/`) === true;
}

/** Whether the client asks for JSON and would not rather have a page. */
export function acceptsJsonOnly(request: IncomingMessage): boolean {
  const accept = request.headers.accept;
  return accept?.includes("application/json") === true && !accept.includes("text/html");
}

/** Sends the browser on, by GET, to an address that is used as it is. */
export function seeOther(ctx: Context, location: string): void {
  ctx.status = 303;
  ctx.set("Location", location);
  ctx.set("Cache-Control", "no-store");
  ctx.body = "";
}

/**
 * A request that a relying party may send by POST as well (OpenID Connect Core 3.1.2.1, RP-Initiated Logout 1.0 §2) is
 * answered with a redirect to the same request by GET, so that it comes back as a navigation on which the visitor's
 * SameSite=Lax cookies are sent. Sets no cookie.
 *
 * @param readForm reads the body of a form post as a query string.
 */
export function redirectPostToGet(path: string, readForm: (ctx: Context) => Promise<string>): Middleware {
  return async (ctx) => {
    const query = await readForm(ctx);
    const target = `${path}?${query}`;
    if (target.length > targetLengthMax) throw new UsherError("body_too_large", "the request is too long");
    // Encoded as it says it is, it fits a header as it stands.
    if (!/^[\x21-\x7e]*$/.test(query)) {
      throw new UsherError("bad_request", "the body is not application/x-www-form-urlencoded");
    }
    seeOther(ctx, target);
  };
}

/** The parameter `theme` of a query: a name of a theme, or what can be one. What can't is none. */
export function themeNameOf(query: string): string | undefined {
  if (!query.includes("theme=")) return undefined;
  const name = new URLSearchParams(query).get("theme") ?? "";
  return /^[a-z0-9][a-z0-9-]{0,31}$/.test(name) ? name : undefined;
}

/** More languages than these are no wish any more. */
const tagsMax = 10;
/** Characters of that many, with what separates them. */
const lengthMax = 360;

/**
 * The parameter `ui_locales` of a query (OpenID Connect Core 3.1.2.1, RP-Initiated Logout 1.0 §2): tags, most wanted first,
 * separated by single spaces. What can be no tag is left out; undefined where nothing is left.
 */
export function uiLocalesOf(query: string): string | undefined {
  // Few requests have it, and every waiting page asks.
  if (!query.includes("ui_locales=")) return undefined;
  const written = new URLSearchParams(query).get("ui_locales")?.slice(0, lengthMax) ?? "";
  const tags = written.split(/\s+/).filter((tag) => /^[a-z0-9_-]{1,35}$/i.test(tag));
  return tags.length === 0 ? undefined : tags.slice(0, tagsMax).join(" ");
}
