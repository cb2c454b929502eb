import type { IncomingMessage, RequestListener } from "node:http";
import type { WaitingRooms } from "../room/index.ts";
import { createAskedByProxy, createIsTrustedProxy } from "./middleware/origin.ts";

/** What answers the requests to one issuer's host. */
export interface HostApp {
  readonly issuer: string;
  /** Its own. */
  readonly rooms: Pick<WaitingRooms, "get">;
  readonly listener: RequestListener;
}

export interface ByHostOptions {
  /** At least one. */
  readonly apps: readonly HostApp[];
  /** Answers requests to hosts that are nobody's. */
  readonly unknownHost: RequestListener;
  /** Addresses and CIDR ranges. */
  readonly trustedProxies: readonly string[];
}

const verifyPath = /^\/rooms\/([a-z0-9][a-z0-9-]{0,31})\/verify(?:[/?]|$)/;

/**
 * Gives each request to the issuer whose host it names in `Host`, or, where that host is unknown and a trusted proxy
 * asks, in `X-Forwarded-Host`. A single issuer answers for every host. A proxy that asks about a request to a site
 * (`…/verify`) may name that site's host: there the room decides.
 */
export function answerByHost({ apps, unknownHost, trustedProxies }: ByHostOptions): RequestListener {
  const [only] = apps;
  if (only !== undefined && apps.length === 1) return only.listener;
  const byHost = new Map(apps.flatMap(({ issuer, listener }) => spellingsOf(issuer).map((host) => [host, listener])));
  const isTrustedProxy = createIsTrustedProxy(trustedProxies);
  const isAskedByProxy = createAskedByProxy(trustedProxies);

  const ofHost = (host: string | undefined) => byHost.get(host?.toLowerCase() ?? "");
  const ofForwardedHost = (request: IncomingMessage) => {
    const forwarded = request.headers["x-forwarded-host"]?.toString();
    return forwarded !== undefined && isTrustedProxy(request) ? ofHost(forwarded) : undefined;
  };
  const ofVerifiedRoom = (request: IncomingMessage) => {
    const room = verifyPath.exec(request.url ?? "")?.[1];
    if (room === undefined || !isAskedByProxy(request)) return undefined;
    return apps.find(({ rooms }) => rooms.get(room) !== undefined)?.listener;
  };

  return (request, response) => {
    const listener = ofHost(request.headers.host) ?? ofForwardedHost(request) ?? ofVerifiedRoom(request) ?? unknownHost;
    listener(request, response);
  };
}

/** An issuer's host as requests may name it: some write the usual port, too. */
function spellingsOf(issuer: string): string[] {
  const { protocol, host, port } = new URL(issuer);
  return port === "" ? [host, `${host}:${protocol === "https:" ? 443 : 80}`] : [host];
}
