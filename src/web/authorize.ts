/**
 * The life of a request at `/authorize`, from the listener to the answer. The listener (`server.ts`) has bounded the request's target, and the
 * application (`http-app.ts`) has taken it for the authorization endpoint.
 */
import type { IncomingMessage, RequestListener } from "node:http";
import Koa, { type Context } from "koa";
import { type Gate, type GateEntry, type LoginVisit, runSteps, type Step } from "../oidc/index.ts";
import type { Around } from "./koa-app.ts";
import { isPath } from "./middleware/incoming.ts";

/** Whether `createAuthorize` answers a request. Paths are matched letter by letter, here as everywhere. */
export function isAuthorize({ method, url = "" }: Pick<IncomingMessage, "method" | "url">): boolean {
  const isEndpoint = url === "/authorize" || url.startsWith("/authorize?");
  return isEndpoint && (method === "GET" || method === "HEAD") && isPath(url);
}

/**
 * Answers `GET /authorize` and `HEAD /authorize`. One path and no chain of middleware, since a chain costs as much as a waiting page
 * (docs/decisions/0010-straight-path.md).
 *
 * @param provider oidc-provider's answer: a code, or an error as OpenID Connect has it
 */
export function createAuthorize({
  begin,
  gate,
  entry,
  provider,
  renderError,
  observe,
  onLost,
}: Around & {
  readonly gate: Gate;
  readonly entry: Pick<GateEntry, "claimSteps" | "sendTicket">;
  readonly provider: (ctx: Context) => Promise<void>;
}): RequestListener {
  const app = new Koa();
  app.on("error", onLost);
  /** Each step answers the visitor, passes the request on to oidc-provider, or leaves it to the next. */
  const steps: readonly Step<LoginVisit>[] = [
    gate.refuseOtherThanVisits,
    gate.compareHint,
    gate.answerSilently,
    ...gate.visitSteps,
    // boundCookies, readTicket, verifyTicket, requireCookies, joinFromPage, recordRequest, claimTurn: the same for links to a room.
    ...entry.claimSteps,
    gate.logIn,
  ];

  async function pass(ctx: Context): Promise<"answered" | "passed"> {
    // Host and protocol become the issuer's, and the request gets a name.
    for (const step of begin) step(ctx);
    const visit = await gate.readRequest(ctx);
    if (typeof visit === "string") return visit;
    const outcome = await runSteps(steps, visit);
    entry.sendTicket(visit);
    return outcome ?? "answered";
  }

  async function answer(ctx: Context): Promise<void> {
    const sinceMs = performance.now();
    try {
      if ((await pass(ctx)) === "passed") await provider(ctx);
    } catch (error) {
      renderError(ctx, error);
    }
    if (ctx.respond !== false) send(ctx);
    observe(ctx, sinceMs);
  }

  return (request, response) => {
    const ctx = app.createContext(request, response) as Context;
    // An error that could not be rendered.
    answer(ctx).catch((error) => ctx.onerror(error));
  };
}

/** Sends the answer that a step has left in the context, as Koa does behind its middleware. */
function send(ctx: Context): void {
  const { body, method, res } = ctx;
  const content = typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  ctx.length = Buffer.byteLength(content);
  res.end(method === "HEAD" ? undefined : content);
}
