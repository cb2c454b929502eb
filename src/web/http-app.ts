import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { CrawlerCheck } from "../lib/rules/index.ts";
import type { Gate, OidcProvider } from "../oidc/index.ts";
import { createAuthorize, isAuthorize } from "./authorize.ts";
import { createVerify } from "./forward-auth/verify.ts";
import { type AppParts, createAround, createKoa } from "./koa-app.ts";
import { tellRobots } from "./middleware/answer-headers.ts";
import { createOriginForm, isRefused, refuseForeignTargets } from "./middleware/incoming.ts";
import { healthRoutes, nothingHere, type RouteTable } from "./middleware/router.ts";
import { authorizationByPost, createProviderMount, logoutByGet, openIdConnect, wellKnown } from "./openid-connect.ts";
import type { VisitorParts } from "./visitor/parts.ts";
import { issuerRoutes, publicRoutes } from "./visitor/routes.ts";
import { createStatusAnswer } from "./visitor/status.ts";
import { createPlaceAnswer } from "./visitor/tickets.ts";

export interface HttpAppOptions extends VisitorParts, AppParts {
  readonly gate: Gate;
  readonly provider: OidcProvider;
  /** Tags of those that visitors may choose. */
  readonly languages: readonly string[];
  /** Of what the program can do without. */
  readonly more: readonly RouteTable[];
  /** Null where nobody can say. */
  readonly isCrawler: CrawlerCheck | null;
}

/** The way of every request to one issuer, from top to bottom. */
export function createHttpApp(options: HttpAppOptions): RequestListener {
  const { issuer, rooms, responder, metrics, gate } = options;
  const around = createAround(options, issuer, responder);
  const app = createKoa(around, issuer);
  app.use(refuseForeignTargets(issuer));
  app.use(createVerify(options));
  // Behind the proxies' questions: a header of theirs may end up at a site that wants to be found.
  app.use(tellRobots);
  app.use(authorizationByPost);
  app.use(logoutByGet);
  app.use(wellKnown);
  for (const table of [issuerRoutes(options), ...options.more, publicRoutes(options), healthRoutes()])
    app.use(table.routes());
  for (const routes of options.operators) app.use(routes);
  const askProvider = createProviderMount(options.provider, issuer);
  app.use(openIdConnect(askProvider));
  app.use(nothingHere);
  const callback = app.callback();
  const handle: RequestListener = (request, response) => void callback(request, response);
  const answerStatus = createStatusAnswer(rooms, issuer);
  const answerPlace = createPlaceAnswer(options);
  const authorize = createAuthorize({ ...around, gate, entry: options.entry, provider: askProvider });
  const tellPlace: typeof answerPlace = (request, response) => {
    const sinceMs = performance.now();
    if (!answerPlace(request, response)) return false;
    metrics.observeRequest("rooms", "GET", 200, (performance.now() - sinceMs) / 1e3);
    return true;
  };
  const answers = options.more.flatMap(({ answer }) => answer ?? []);
  const answerMore = (request: IncomingMessage, response: ServerResponse): boolean =>
    answers.some((answer) => {
      const sinceMs = performance.now();
      const status = answer(request, response);
      if (status !== null) metrics.observeRequest("other", "GET", status, (performance.now() - sinceMs) / 1e3);
      return status !== null;
    });
  const originForm = createOriginForm(issuer);
  return (request, response) => {
    request.url = originForm(request.url ?? "");
    if (isRefused(request)) handle(request, response);
    else if (answerStatus(request, response)) metrics.countStatus();
    else if (isAuthorize(request)) authorize(request, response);
    else if (!tellPlace(request, response) && !answerMore(request, response)) handle(request, response);
  };
}
