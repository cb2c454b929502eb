/** The life of a request at `/authorize`, from the listener to the answer. */
import type { IncomingMessage, RequestListener } from "node:http";
import type { Context } from "koa";
import Koa from "koa";
import { isPath } from "./middleware/incoming.ts";

/** `passed`: nothing has been answered, and oidc-provider decides. */
export type GateAnswer = "answered" | "passed";

/** Whether `createAuthorize` answers a request. Paths are matched letter by letter, here as everywhere. */
export function isAuthorize({ method, url = "" }: Pick<IncomingMessage, "method" | "url">): boolean {
  const isEndpoint = url === "/authorize" || url.startsWith("/authorize?");
  return isEndpoint && (method === "GET" || method === "HEAD") && isPath(url);
}

/**
 * Answers `GET /authorize` and `HEAD /authorize`. One function and no chain of middleware, since a chain costs as much as a waiting page
 * (docs/decisions/0010-straight-path.md).
 *
 * @param begin run before all else, in this order
 */
export function createAuthorize({
  begin,
  gate,
  provider,
  renderError,
  observe,
  onLost,
}: {
  readonly begin: readonly ((ctx: Context) => void)[];
  readonly gate: (ctx: Context) => Promise<GateAnswer>;
  readonly provider: (ctx: Context) => Promise<void>;
  readonly renderError: (ctx: Context, error: unknown) => void;
  readonly observe: (ctx: Context, sinceMs: number) => void;
  readonly onLost: (error: unknown) => void;
}): RequestListener {
  const app = new Koa();
  app.on("error", onLost);

  async function answer(ctx: Context): Promise<void> {
    const sinceMs = performance.now();
    try {
      for (const step of begin) step(ctx);
      if ((await gate(ctx)) === "passed") await provider(ctx);
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
