/** How the AWS interface speaks: what a call answers, whose pages may read it, and the errors of an API Gateway. */
import type { Context } from "koa";
import { originOf } from "../../web/middleware/cross-origin.ts";

/** An answer of a Lambda function: JSON, or nothing. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  /** Default: `no-store`, since most is of one visitor. */
  readonly cacheControl?: string;
}

/** An error that the API Gateway itself answers. It has no CORS headers: by that the control panel tells it from an answer. */
export class GatewayError extends Error {
  override name = "GatewayError";
  readonly status: number;
  readonly retryAfterSec: number | undefined;

  constructor(status: number, message: string, retryAfterSec?: number) {
    super(message);
    this.status = status;
    this.retryAfterSec = retryAfterSec;
  }
}

export const gatewayErrors = {
  badBody: () => new GatewayError(400, "Invalid request body"),
  missing: (...names: readonly string[]) =>
    new GatewayError(400, `Missing required request parameters: [${names.join(", ")}]`),
  /** What there is not, and what is not signed. */
  noToken: () => new GatewayError(403, "Missing Authentication Token"),
  forbidden: () => new GatewayError(403, "Forbidden"),
  tooLarge: () => new GatewayError(413, "Request Too Long"),
  unsupportedType: () => new GatewayError(415, "Unsupported Media Type"),
  tooMany: (retryMs: number) => new GatewayError(429, "Too Many Requests", Math.ceil(retryMs / 1_000)),
  away: (retryMs: number) => new GatewayError(503, "Service Unavailable", Math.ceil(retryMs / 1_000)),
} as const;

/** How long a client waits that meets a store that is away, in milliseconds. */
export const awayRetryMs = 2_000;

export const ok = (body: unknown, cacheControl?: string): Answer =>
  cacheControl === undefined ? { status: 200, body } : { status: 200, body, cacheControl };
/** 202 as well as 4xx: `{ "error": … }`. */
export const failed = (status: number, error: string): Answer => ({ status, body: { error } });

const allowedHeaders = "Content-Type,X-Amz-Date,Authorization,X-Api-Key,X-Amz-Security-Token";

export type Cors = ReturnType<typeof createCors>;

/** @param origins of the pages that may read answers; null: of all */
export function createCors(origins: readonly string[] | null) {
  const [first = "*"] = origins ?? [];
  return {
    /** Whether answers differ by it. */
    varies: origins !== null,
    /** What `Access-Control-Allow-Origin` says. Another page's browser refuses the first one of the list. */
    allowed: (origin: string | undefined): string =>
      origins !== null && origin !== undefined && origins.includes(origin) ? origin : first,
  };
}

export function sendAnswer(ctx: Context, cors: Cors, { status, body, cacheControl = "no-store" }: Answer): void {
  setCors(ctx, cors);
  ctx.status = status;
  ctx.set("Cache-Control", cacheControl);
  ctx.type = "application/json";
  ctx.body = JSON.stringify(body);
}

/** The preflight of a page of another origin: 200, and empty. */
export function sendOptions(ctx: Context, cors: Cors, method: "GET" | "POST"): void {
  setCors(ctx, cors);
  ctx.set("Access-Control-Allow-Methods", method === "GET" ? "GET,OPTIONS" : "OPTIONS,POST");
  ctx.set("Access-Control-Allow-Headers", allowedHeaders);
  ctx.set("Cache-Control", "no-store");
  ctx.status = 200;
  ctx.type = "application/json";
  ctx.body = "";
}

export function sendGatewayError(ctx: Context, { status, message, retryAfterSec }: GatewayError): void {
  ctx.status = status;
  ctx.set("Cache-Control", "no-store");
  if (retryAfterSec !== undefined) ctx.set("Retry-After", String(retryAfterSec));
  ctx.type = "application/json";
  ctx.body = JSON.stringify({ message });
}

function setCors(ctx: Context, { allowed, varies }: Cors): void {
  ctx.set("Access-Control-Allow-Origin", allowed(originOf(ctx.req.headers)));
  if (varies) ctx.vary("Origin");
}
