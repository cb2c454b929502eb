import type { EventEmitter } from "node:events";
import type { IncomingHttpHeaders } from "node:http";
import { formatTime } from "../../config/index.ts";
import { StoreUnavailableError } from "../../lib/errors.ts";
import { type Logger, printableText } from "../../lib/logger.ts";
import type { ClientDirectory } from "../../registry/index.ts";
import { traceFields } from "../../web/koa-app.ts";

export interface LoggedProvider {
  readonly events: EventEmitter;
  readonly clients: Pick<ClientDirectory, "secretsOf">;
}

/** Writes which requests oidc-provider refuses, and what is wrong with them. Repeats nothing of a request as it is. */
export function logProviderEvents({ events: provider, clients }: LoggedProvider, logger: Logger): void {
  provider.on("server_error", (_ctx: unknown, error: unknown) => {
    const fields = { event: "oidc.server_error", err: error };
    // Told once for all by `store.away`.
    if (error instanceof StoreUnavailableError) logger.debug(fields, error.reason);
    else logger.error(fields, "a request of OpenID Connect failed");
  });
  const logToken = (ctx: ProviderContext, error: ProviderError) =>
    logger.warn({ event: "oidc.token_refused", ...describeRefusal(ctx, error) }, adviceFor(ctx, error, clients));
  for (const name of ["grant.error", "introspection.error", "revocation.error"]) provider.on(name, logToken);
  const logAuthorization = (ctx: ProviderContext, error: ProviderError) => {
    const redirectUri = bounded(ctx.oidc?.params?.redirect_uri);
    const near = nearestOf(ctx);
    logger.warn(
      {
        event: "oidc.authorization_refused",
        ...describeRefusal(ctx, error),
        redirect_uri: redirectUri,
        ...(near && { nearest_registered: near.nearest }),
      },
      near
        ? `the redirect_uri is not registered; of the nearest it differs so: ${near.difference}`
        : adviceFor(ctx, error, clients),
    );
  };
  for (const name of ["authorization.error", "pushed_authorization_request.error"]) provider.on(name, logAuthorization);
}

/** What is read of oidc-provider's context. */
interface ProviderContext {
  readonly req?: { readonly headers: IncomingHttpHeaders };
  readonly res?: { getHeader(name: string): unknown };
  readonly oidc?: {
    readonly client?: { readonly clientId: string; readonly redirectUris?: readonly string[] } | undefined;
    readonly params?: Readonly<Record<string, unknown>> | undefined;
  };
}

interface ProviderError {
  readonly error?: string;
  readonly error_description?: string;
  /** What the answer to the relying party leaves out. */
  readonly error_detail?: string;
}

/** In oidc-provider's words, which may change: then the line says no more than that the client was refused. */
const wrongSecret = "invalid secret provided";

function adviceFor(
  { oidc }: ProviderContext,
  { error, error_detail: detail }: ProviderError,
  clients: LoggedProvider["clients"],
): string {
  if (detail === wrongSecret && oidc?.client !== undefined) return describeWrongSecret(clients, oidc.client.clientId);
  return detail ?? `the request was answered with ${error ?? "an error"}`;
}

/** Null for a redirect URI that is registered. The error itself may be called otherwise, as for a pushed request. */
function nearestOf({ oidc }: ProviderContext) {
  const [sent, registered = []] = [oidc?.params?.redirect_uri, oidc?.client?.redirectUris];
  return typeof sent === "string" && !registered.includes(sent)
    ? describeNearest(sent.slice(0, 2_000), registered)
    : null;
}

/** For the operator of the client; the page that the visitor sees names the same request. */
function describeRefusal(
  { req, res, oidc }: ProviderContext,
  { error, error_description: description }: ProviderError,
) {
  const isUnknown = error === "invalid_client" && description === "client is invalid";
  return {
    request_id: res?.getHeader("X-Request-Id"),
    ...traceFields(req?.headers ?? {}),
    client_id: bounded(oidc?.client?.clientId ?? oidc?.params?.client_id),
    error,
    description: isUnknown ? "unknown client_id" : description,
  };
}

function bounded(value: unknown): string | undefined {
  return typeof value === "string" ? printableText(value) : undefined;
}

/**
 * The client's secrets that did not match, by the beginnings of their hashes; `printf %s "$SECRET" | sha256sum` gives
 * that of the site's own.
 */
function describeWrongSecret(clients: Pick<ClientDirectory, "secretsOf">, clientId: string): string {
  const secrets = clients.secretsOf(clientId).map(({ sha256, expires_ms: endMs }) => {
    const until = endMs === null ? "" : `, accepted until ${formatTime(endMs)}`;
    return `(SHA-256 ${sha256.slice(0, 8)}…${until})`;
  });
  const [current, ...previous] = secrets;
  if (current === undefined) return "the client has no secret";
  const others = `${previous.length === 1 ? "the previous one" : "one of the previous ones"} ${previous.join(", ")}`;
  const none =
    previous.length === 0 ? `not the client's secret ${current}` : `neither the current one ${current} nor ${others}`;
  return `the secret that came is ${none}; printf %s "$SECRET" | sha256sum shows which one the site has`;
}

/** The registered redirect URI that comes nearest to the one that came, and where they differ. */
function describeNearest(sent: string, registered: readonly string[]): { nearest: string; difference: string } | null {
  const [nearest] = registered.map((uri) => ({ uri, alike: alike(uri, sent) })).sort((a, b) => b.alike - a.alike);
  return nearest === undefined ? null : { nearest: nearest.uri, difference: differenceOf(sent, nearest.uri) };
}

/** Characters that two texts have in common at their beginning and their end. */
function alike(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let before = 0;
  while (before < most && a[before] === b[before]) before++;
  let behind = 0;
  while (behind < most - before && a.at(-1 - behind) === b.at(-1 - behind)) behind++;
  return before + behind;
}

const parts = [
  ["scheme", "protocol"],
  ["host", "hostname"],
  ["port", "port"],
  ["path", "pathname"],
] as const;

function differenceOf(sent: string, registered: string): string {
  if (!URL.canParse(sent)) return "it is no absolute URL";
  const [a, b] = [new URL(sent), new URL(registered)];
  const names = parts.flatMap(([name, key]) =>
    a[key] === b[key] ? [] : [`the ${name} is ${printable(a[key])}, not ${printable(b[key])}`],
  );
  // What stands in a query or a fragment may be secret.
  if (a.search !== b.search) names.push(b.search === "" ? "it has a query" : "the query is another one");
  if (a.hash !== b.hash) names.push("it has a fragment");
  return names.length === 0 ? "it is written in another way: letter for letter it must be the same" : names.join("; ");
}

function printable(part: string): string {
  return part === "" ? "none" : part.replace(/[^\x21-\x7e]/g, "\ufffd").slice(0, 100);
}
