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
  if (request.method === "HEAD") return "head";
  const purpose = headers["sec-purpose"] ?? headers.purpose ?? headers["x-moz"];
  if (purpose !== undefined && /prefetch|prerender|preview/i.test(String(purpose))) return "prefetch";
  const mode = headers["sec-fetch-mode"];
  const dest = headers["sec-fetch-dest"];
  if (mode !== undefined && mode !== "navigate") return "embedded";
  if (dest !== undefined && dest !== "document") return "embedded";
  if (mode === undefined && previewAgents.test(headers["user-agent"] ?? "")) return "preview";
  return "navigation";
}

/** Whether the client asks for JSON and would not rather have a page. */
export function acceptsJsonOnly(request: IncomingMessage): boolean {
  const accept = request.headers.accept;
  return accept?.includes("application/json") === true && !accept.includes("text/html");
}
