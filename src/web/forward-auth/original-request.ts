import type { Context } from "koa";
import { UsherError } from "../../lib/errors.ts";
import { memberOf } from "../../lib/json.ts";
import type { ForwardedOrigin } from "../middleware/incoming.ts";

/** The request that a proxy asks about. */
export interface OriginalRequest {
  readonly method: string;
  /** Whether the proxy names a method, and nobody another one. */
  readonly isMethodSure: boolean;
  readonly isHttps: boolean;
  /** Without port, in lower case. */
  readonly host: string;
  /** As it was sent. */
  readonly path: string;
  /** As it was sent, with its query. */
  readonly address: string;
  /** In lower case, with a port that is not the usual one. */
  readonly authority: string;
  /** Path and query as they were sent. */
  readonly target: string;
}

/** What may be in a request's target as proxies pass it on. A fragment never is. */
const targetPattern = /^\/[^\s#\p{Cc}]*$/u;
const hostPattern = /^(?:[\w.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;
/** A WebSocket begins as a request of the protocol below it. */
const schemes: Readonly<Record<string, string>> = { http: "http", https: "https", ws: "http", wss: "https" };

/**
 * Reads it from what the kinds of proxies say: `X-Original-URL`, or `X-Original-URI` and `Host` (nginx); `X-Forwarded-Uri`,
 * `-Host` and `-Proto` (Traefik, Caddy); the path behind ours (Envoy). A visitor may have sent the headers that the
 * proxy at hand does not set, so all that are there have to name the same path.
 *
 * @param appended what follows our own path, with the query; empty where nothing does
 * @param defaultScheme where nobody names one
 * @throws UsherError `bad_request`
 */
export function readOriginalRequest(ctx: Context, appended: string, defaultScheme: string): OriginalRequest {
  const { host = "", forwardedHost, forwardedProto = defaultScheme } = ctx.state.forwarded as ForwardedOrigin;
  const scheme = memberOf(schemes, forwardedProto.toLowerCase());
  const said: { readonly origin: string; readonly target: string }[] = [];
  const say = (origin: string, target: string) => {
    if (target !== "") said.push({ origin, target });
  };
  // Nothing but a path may follow the host: some proxies let a visitor write `?` into that.
  const originalUrl = /^(https?:\/\/[^/?#]*)(\/.*)$/is.exec(ctx.get("X-Original-URL"));
  if (originalUrl !== null) say(originalUrl[1] ?? "", originalUrl[2] ?? "");
  else if (ctx.get("X-Original-URL") !== "") throw unclear("X-Original-URL is no absolute URL");
  say(`${scheme}://${host}`, ctx.get("X-Original-URI"));
  say(`${scheme}://${forwardedHost ?? host}`, ctx.get("X-Forwarded-Uri"));
  say(`${scheme}://${host}`, appended);

  const [first, ...others] = said;
  if (first === undefined) throw unclear("no header says what was asked for");
  const { origin, target } = first;
  if (others.some((other) => other.target !== target)) throw unclear("the headers name different paths");
  const [protocol = "", authority = ""] = origin.toLowerCase().split("://");
  if (!(protocol in schemes) || !hostPattern.test(authority)) throw unclear("host or protocol cannot be read");
  if (!targetPattern.test(target)) throw unclear("the path cannot be read");
  const methods = methodsNamed(ctx, appended);
  return {
    // Of several, the one that says least.
    method: methods.find((method) => method !== "GET") ?? (methods.length === 0 ? ctx.method : "GET"),
    isMethodSure: new Set(methods).size === 1,
    isHttps: protocol === "https",
    host: authority.replace(/:\d+$/, ""),
    path: target.split("?")[0] ?? "",
    address: `${protocol}://${authority}${target}`,
    authority: authority.replace(protocol === "https" ? /:443$/ : /:80$/, ""),
    target,
  };
}

function methodsNamed(ctx: Context, appended: string): string[] {
  const named = [ctx.get("X-Original-Method"), ctx.get("X-Forwarded-Method"), appended === "" ? "" : ctx.method];
  return named.filter((method) => method !== "").map((method) => method.toUpperCase());
}

function unclear(what: string): UsherError {
  return new UsherError("bad_request", `${what}; see the proxy's configuration in docs/forward-auth.md`);
}
