/** The gate as middleware of Express, Koa and Fastify. Of these it knows the few members that it uses, and imports nothing. */
import { type AdmissionGateOptions, createAdmissionGate, type GateRequest, type SiteAdmission } from "./gate.ts";

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

interface ExpressRequest {
  readonly method: string;
  readonly originalUrl: string;
  readonly headers: Headers;
  readonly ip?: string | undefined;
}

interface ExpressResponse {
  readonly locals: Record<string, unknown>;
  status(code: number): unknown;
  set(headers: Record<string, string>): unknown;
  append(name: string, value: string): unknown;
  end(body: string): unknown;
}

/** `app.use(expressAdmission(options))`; then `response.locals.admission`. @throws TypeError as `createAdmissionGate` */
export function expressAdmission(options: AdmissionGateOptions) {
  const gate = createAdmissionGate(options);
  return (request: ExpressRequest, response: ExpressResponse, next: (error?: unknown) => void): void => {
    gate(gateRequest(request))
      .then((outcome) => {
        if (outcome.passes) {
          if (outcome.setCookie !== undefined) response.append("Set-Cookie", outcome.setCookie);
          response.locals.admission = outcome.admission;
          return next();
        }
        response.status(outcome.status);
        response.set({ ...outcome.headers });
        response.end(outcome.body);
      })
      .catch(next);
  };
}

interface KoaContext {
  readonly method: string;
  readonly originalUrl: string;
  readonly headers: Headers;
  readonly ip?: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: as Koa has it
  state: any;
  status: number;
  body: unknown;
  set(headers: Record<string, string>): void;
  append(name: string, value: string): void;
}

/** `app.use(koaAdmission(options))`; then `ctx.state.admission`. @throws TypeError as `createAdmissionGate` */
export function koaAdmission(options: AdmissionGateOptions) {
  const gate = createAdmissionGate(options);
  return async (ctx: KoaContext, next: () => Promise<unknown>): Promise<void> => {
    const outcome = await gate(gateRequest(ctx));
    if (outcome.passes) {
      if (outcome.setCookie !== undefined) ctx.append("Set-Cookie", outcome.setCookie);
      ctx.state.admission = outcome.admission;
      await next();
      return;
    }
    ctx.status = outcome.status;
    ctx.body = outcome.body;
    ctx.set({ ...outcome.headers });
  };
}

interface FastifyRequest {
  readonly method: string;
  readonly originalUrl: string;
  readonly headers: Headers;
  readonly ip?: string | undefined;
}

interface FastifyReply {
  code(status: number): unknown;
  headers(headers: Record<string, string>): unknown;
  header(name: string, value: string): unknown;
  send(body: string): unknown;
}

/** What `fastifyAdmission` puts on a request. */
export interface WithAdmission {
  admission?: SiteAdmission | null;
}

/** `app.addHook("onRequest", fastifyAdmission(options))`; then `request.admission`. @throws TypeError as `createAdmissionGate` */
export function fastifyAdmission(options: AdmissionGateOptions) {
  const gate = createAdmissionGate(options);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const outcome = await gate(gateRequest(request));
    if (outcome.passes) {
      if (outcome.setCookie !== undefined) reply.header("Set-Cookie", outcome.setCookie);
      (request as FastifyRequest & WithAdmission).admission = outcome.admission;
      return undefined;
    }
    reply.code(outcome.status);
    reply.headers({ ...outcome.headers });
    reply.send(outcome.body);
    // By this Fastify knows that the request is answered.
    return reply;
  };
}

/** `ip` is the framework's, by the proxies that it was told to trust. */
function gateRequest(request: Pick<ExpressRequest, "method" | "originalUrl" | "headers" | "ip">): GateRequest {
  const { method, originalUrl: url, headers } = request;
  return {
    method,
    url,
    get address() {
      return request.ip;
    },
    header(name) {
      const value = headers[name];
      return typeof value === "object" ? value.join(", ") : value;
    },
  };
}
