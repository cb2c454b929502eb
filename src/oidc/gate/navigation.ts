import type { IncomingMessage } from "node:http";

/**
 * What kind of request came to the authorization endpoint. Only a navigation, or a client that says nothing
 * about itself, may take a place in line.
 */
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
