import type { IncomingMessage, ServerResponse } from "node:http";
import type { Context, Middleware } from "koa";
import { UsherError } from "../../lib/errors.ts";
import { isObject } from "../../lib/json.ts";
import { pathOf, queryOf } from "../../lib/request.ts";
import { answerHeadersOf, robotsTag } from "../../web/middleware/answer-headers.ts";
import { originOf } from "../../web/middleware/cross-origin.ts";
import { parseJson, readBytes } from "../../web/middleware/read-body.ts";
import type { RouteTable } from "../../web/middleware/router.ts";
import type { WithRow } from "./audit-rows.ts";
import type { CheckCaller } from "./caller.ts";
import type { Home } from "./home.ts";
import type { HomeCounts } from "./metrics.ts";
import { callFor, eventIdOf, type PrivateCall } from "./private-calls.ts";
import { type Body, type PublicCalls, textOf } from "./public-calls.ts";
import {
  type Answer,
  awayRetryMs,
  type Cors,
  GatewayError,
  gatewayErrors,
  sendAnswer,
  sendGatewayError,
  sendOptions,
} from "./wire.ts";

/** Bytes: an id or two. */
const bodyMax = 16_384;

export interface HomeRouteParts {
  readonly issuer: string;
  readonly publicPath: string;
  readonly privatePath: string;
  readonly cors: Cors;
  readonly home: Home;
  readonly publicCalls: PublicCalls;
  readonly privateCalls: Readonly<Record<string, PrivateCall>>;
  readonly checkCaller: CheckCaller;
  readonly withRow: WithRow;
  readonly counts: HomeCounts;
}

/** A call, however it is made. */
interface Route {
  readonly method: "GET" | "POST";
  /** Known to metrics. */
  readonly name: string;
  readonly answer: (ctx: Context) => Answer | Promise<Answer>;
}

type ReadName = keyof PublicCalls["read"];

/** The interface of AWS's Virtual Waiting Room, at the paths of the configuration. What is not a call there is refused as an API Gateway does. */
export function homeRoutes(parts: HomeRouteParts): RouteTable {
  const { publicPath, privatePath, cors, publicCalls, counts } = parts;
  const routes = new Map<string, Route>([...publicRoutes(parts), ...privateRoutes(parts)]);
  const bases = [`${publicPath}/`, `${privatePath}/`];

  const middleware: Middleware = async (ctx, next) => {
    const route = routes.get(ctx.path);
    if (route === undefined && !bases.some((base) => ctx.path.startsWith(base))) return next();
    try {
      if (route === undefined) throw gatewayErrors.noToken();
      if (ctx.method === "OPTIONS") return sendOptions(ctx, cors, route.method);
      if (ctx.method !== route.method && !(ctx.method === "HEAD" && route.method === "GET"))
        throw gatewayErrors.noToken();
      sendAnswer(ctx, cors, await route.answer(ctx));
    } catch (error) {
      sendGatewayError(ctx, gatewayErrorOf(error));
    }
    counts.answered(route?.name ?? "none", ctx.status);
  };

  const headers = [
    ...Object.entries(answerHeadersOf(parts.issuer)).flat(),
    ...robotsTag,
    "Content-Type",
    "application/json",
  ];
  const answer = (request: IncomingMessage, response: ServerResponse): number | null => {
    const target = request.url ?? "";
    if (request.method !== "GET" || !target.startsWith(publicPath)) return null;
    const name = pathOf(target).slice(publicPath.length + 1);
    if (!isRead(name) || target[publicPath.length] !== "/") return null;
    const said = readPlainly(name, target);
    if (said === null) return null;
    const { status, cacheControl = "no-store" } = said;
    const body = JSON.stringify(said.body);
    response.writeHead(status, [
      ...headers,
      ...["Cache-Control", cacheControl, "Access-Control-Allow-Origin", cors.allowed(originOf(request.headers))],
      ...(cors.varies ? ["Vary", "Origin"] : []),
      ...["Content-Length", String(Buffer.byteLength(body))],
    ]);
    response.end(body);
    counts.answered(name, status);
    return status;
  };

  return { describe: () => [], routes: () => middleware, answer };

  function isRead(name: string): name is ReadName {
    return Object.hasOwn(publicCalls.read, name);
  }

  /** Null for what has to be asked first, or is an error of the gateway's. */
  function readPlainly(name: ReadName, target: string): Answer | null {
    try {
      return publicCalls.read[name](new URLSearchParams(queryOf(target)));
    } catch (error) {
      if (error instanceof GatewayError) return null;
      throw error;
    }
  }
}

function publicRoutes({ publicPath, publicCalls }: HomeRouteParts): [path: string, route: Route][] {
  const { read, readAgain } = publicCalls;
  const reads = (Object.keys(read) as ReadName[]).map((name): [string, Route] => {
    const again = Object.hasOwn(readAgain, name) ? readAgain[name as keyof typeof readAgain] : undefined;
    return [
      `${publicPath}/${name}`,
      {
        method: "GET",
        name,
        async answer(ctx) {
          const query = queryIn(ctx);
          return read[name](query) ?? (await again?.(query)) ?? Promise.reject(gatewayErrors.away(awayRetryMs));
        },
      },
    ];
  });
  return [
    ...reads,
    [
      `${publicPath}/assign_queue_num`,
      {
        method: "POST",
        name: "assign_queue_num",
        async answer(ctx) {
          // Their integration has a template for JSON alone, and passes nothing else on.
          if (!ctx.is("application/json")) throw gatewayErrors.unsupportedType();
          return publicCalls.assign(ctx, bodyIn(await readBytes(ctx, bodyMax)));
        },
      },
    ],
    [
      `${publicPath}/generate_token`,
      {
        method: "POST",
        name: "generate_token",
        answer: async (ctx) => publicCalls.generate(ctx, bodyIn(await readBytes(ctx, bodyMax))),
      },
    ],
  ];
}

function privateRoutes({
  privatePath,
  privateCalls,
  checkCaller,
  withRow,
  home,
}: HomeRouteParts): [path: string, route: Route][] {
  return Object.entries(privateCalls).map(([name, call]) => [
    `${privatePath}/${name}`,
    {
      method: call.method,
      name: `private ${name}`,
      answer: (ctx) =>
        withRow(
          ctx,
          { method: call.method, path: `${privatePath}/${name}`, role: call.role },
          async (notes, identify) => {
            const { caller, body: bytes } = await checkCaller(ctx);
            identify({ kind: "key", id: caller.id, role: caller.role, name: null });
            const body = call.method === "POST" ? bodyIn(bytes) : {};
            const eventId = call.method === "POST" ? textOf(body, "event_id") : eventIdOf(queryIn(ctx));
            const event = callFor(home, call, caller, { eventId, notes });
            return call.answer({ ctx, caller, event, body, notes });
          },
        ),
    },
  ]);
}

function queryIn(ctx: Context): URLSearchParams {
  return new URLSearchParams(queryOf(ctx.req.url ?? ""));
}

/** JSON whatever the type: browsers send text. @throws GatewayError */
function bodyIn(bytes: Buffer): Body {
  let value: unknown;
  try {
    value = parseJson(bytes.toString("utf8"));
  } catch {
    throw gatewayErrors.badBody();
  }
  if (!isObject(value) || Array.isArray(value)) throw gatewayErrors.badBody();
  return value;
}

/** What the room or the store says, as an API Gateway says it. Anything else is a fault of ours, and thrown on. */
function gatewayErrorOf(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  if (!(error instanceof UsherError)) throw error;
  const retryMs = error.retryAfterSec === undefined ? awayRetryMs : error.retryAfterSec * 1_000;
  if (error.status === 503) return gatewayErrors.away(retryMs);
  if (error.status === 429) return gatewayErrors.tooMany(retryMs);
  if (error.code === "body_too_large") return gatewayErrors.tooLarge();
  if (error.code === "bad_request") return gatewayErrors.badBody();
  if (error.status === 401 || error.status === 403) return gatewayErrors.forbidden();
  throw error;
}
