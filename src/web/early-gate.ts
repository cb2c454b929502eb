import type { IncomingMessage, ServerResponse } from "node:http";
import type Koa from "koa";
import type { Context, Middleware } from "koa";
import { answerWithoutContent } from "../oidc/index.ts";
import { isPath } from "./middleware/origin.ts";

/** What the gate made of a request that it did not answer itself. */
type Outcome = { readonly context: Context } & (
  | { readonly kind: "passed" }
  | { readonly kind: "said"; readonly status: number; readonly body: unknown }
  | { readonly kind: "failed"; readonly error: unknown }
);

const outcomes = new WeakMap<IncomingMessage, Outcome>();

export interface EarlyGate {
  readonly app: Koa;
  readonly gate: Middleware;
  /** Run before the gate, as they are in the application's chain. */
  readonly first: readonly Middleware[];
  /** Told of each request that the gate has answered. */
  answered(context: Context, sinceMs: number): void;
  /** Answers all other requests. */
  handle(request: IncomingMessage, response: ServerResponse): void;
}

/**
 * Runs the gate before Koa's chain, which costs more than a waiting page: visitors who are parked have their answer then. Whatever else the gate
 * says, and all that comes after it, goes through the chain, in which `heedEarlyGate` stands for the gate.
 *
 * @returns answers a plain `GET /authorize`; false: it is none
 */
export function createEarlyGate({ app, gate, first, answered, handle }: EarlyGate) {
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const sinceMs = performance.now();
    const context = app.createContext(request, response) as Context;
    let hasPassed = false;
    let outcome: Outcome;
    try {
      for (const each of first) each(context, nothingMore);
      await gate(context, async () => {
        hasPassed = true;
      });
      if (response.headersSent) return answered(context, sinceMs);
      const { status, body } = context;
      outcome = hasPassed ? { kind: "passed", context } : { kind: "said", status, body, context };
    } catch (error) {
      outcome = { kind: "failed", error, context };
    }
    outcomes.set(request, outcome);
    handle(request, response);
  }

  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const { url = "", method } = request;
    if (method !== "GET" || !(url === "/authorize" || url.startsWith("/authorize?")) || !isPath(url)) return false;
    void answer(request, response);
    return true;
  };
}

const nothingMore = async () => {};

/** Does something at the beginning of the chain, unless it was done before the gate: then what it found stays. */
export function unlessEarly(first: Middleware): Middleware {
  return (ctx, next) => {
    const outcome = outcomes.get(ctx.req);
    if (outcome === undefined) return first(ctx, next);
    ctx.state = outcome.context.state;
    return next();
  };
}

/** Stands for the gate: heeds what it has said of the request, and asks it where it was not asked yet. */
export function heedEarlyGate(gate: Middleware): Middleware {
  return (ctx, next) => {
    const outcome = outcomes.get(ctx.req);
    switch (outcome?.kind) {
      case undefined:
        return gate(ctx, next);
      case "passed":
        return next();
      case "failed":
        throw outcome.error;
      case "said":
        ctx.status = outcome.status;
        if (outcome.body === "") answerWithoutContent(ctx);
        else ctx.body = outcome.body;
        return;
    }
  };
}
