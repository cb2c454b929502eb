/** Which application answers a request, by the host that it names; and those that belong to no issuer. */
import type { IncomingMessage, RequestListener } from "node:http";
import type { Middleware } from "koa";
import { UsherError } from "../lib/errors.ts";
import { roomIdShape } from "../lib/room-id.ts";
import type { WaitingRooms } from "../room/index.ts";
import { type AppParts, createAround, createKoa } from "./koa-app.ts";
import { setAnswerHeaders, tellRobots } from "./middleware/answer-headers.ts";
import type { TrustedProxies } from "./middleware/incoming.ts";
import { healthRoutes, nothingHere } from "./middleware/router.ts";
import type { Pages } from "./pages/index.ts";
import { createPageResponder } from "./visitor/pages/page-responder.ts";

/** What answers the requests to one issuer's host. */
export interface HostApp {
  readonly issuer: string;
  /** Its own. */
  readonly rooms: Pick<WaitingRooms, "get">;
  readonly listener: RequestListener;
}

const verifyPath = new RegExp(`^/rooms/(${roomIdShape})/verify(?:[/?]|$)`);

/**
 * Gives each request to the issuer whose host it names in `Host`, or, where that host is unknown and a trusted proxy
 * asks, in `X-Forwarded-Host`. A single issuer answers for every host. A proxy that asks about a request to a site
 * (`…/verify`) may name that site's host: there the room decides.
 *
 * @param apps at least one
 * @param unknownHost answers requests to hosts that are nobody's
 */
export function answerByHost(
  apps: readonly HostApp[],
  unknownHost: RequestListener,
  proxies: TrustedProxies,
): RequestListener {
  const [only] = apps;
  if (only !== undefined && apps.length === 1) return only.listener;
  const byHost = new Map(apps.flatMap(({ issuer, listener }) => spellingsOf(issuer).map((host) => [host, listener])));

  const ofHost = (host: string | undefined) => byHost.get(host?.toLowerCase() ?? "");
  const ofForwardedHost = ({ headers, socket }: IncomingMessage) => {
    const forwarded = headers["x-forwarded-host"]?.toString();
    return forwarded !== undefined && proxies.has(socket.remoteAddress ?? "") ? ofHost(forwarded) : undefined;
  };
  const ofVerifiedRoom = (request: IncomingMessage) => {
    const room = verifyPath.exec(request.url ?? "")?.[1];
    if (room === undefined || !proxies.mayAsk(request)) return undefined;
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

type HostlessParts = AppParts & { readonly pages: Pages };

/** Nobody has this host (RFC 2606, section 2). */
const nobody = "http://unknown.invalid";

/**
 * With several issuers, answers requests to an unknown host: health checks and operators with a key get their answers,
 * since they ask by address, and crawlers are sent away. All others get an error.
 */
export function createUnknownHostApp(parts: HostlessParts): RequestListener {
  return createHostlessApp(parts, misdirected);
}

/** What the operators' own listener answers, whatever the host. @param address that browsers use; null where it is not known */
export function createOperatorsApp(parts: HostlessParts, address: string | null): RequestListener {
  return createHostlessApp(parts, nothingHere, address ?? nobody);
}

function createHostlessApp(parts: HostlessParts, otherwise: Middleware, address = nobody): RequestListener {
  const languages = { usualOf: () => undefined, areOffered: false };
  const app = createKoa(createAround(parts, nobody, createPageResponder(parts.pages, nobody, languages)), nobody);
  app.use(setAnswerHeaders(address));
  app.use(tellRobots);
  for (const routes of [healthRoutes().routes(), ...parts.operators]) app.use(routes);
  app.use(otherwise);
  return app.callback();
}

/** RFC 9110, section 15.5.20. */
const misdirected: Middleware = () => {
  throw new UsherError("bad_request", "this server does not answer for the host of this request", { status: 421 });
};
