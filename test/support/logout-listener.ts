/** The part of a site that takes logout tokens: it verifies each as OpenID Connect Back-Channel Logout 1.0 §2.6 says. */
import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { createRemoteJWKSet, type JWTPayload, jwtVerify, type ProtectedHeaderParameters } from "jose";
import { freePort } from "./ports.ts";
import { type SiteServer, startSiteServer } from "./site-server.ts";

const logoutEvent = "http://schemas.openid.net/event/backchannel-logout";

export interface Logout {
  readonly header: ProtectedHeaderParameters;
  readonly claims: JWTPayload & Record<string, unknown>;
  readonly path: string;
}

export interface LogoutListener {
  readonly origin: string;
  /** All valid tokens that came and were answered with 200, in order. */
  readonly logouts: readonly Logout[];
  /** Of one visitor. */
  of(sub: unknown): Logout[];
  /** How many requests came, whatever became of them. */
  readonly requests: number;
  /** What is answered from now on; `null`: nothing at all. Default 200. */
  answerWith(status: number | null): void;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * @param issuerOf asked for with each token
 * @param audience the client's id
 * @param gatewayOf where the keys are fetched; default: at the issuer
 */
export async function startLogoutListener(
  issuerOf: () => string,
  audience: string,
  gatewayOf = issuerOf,
): Promise<LogoutListener> {
  const port = await freePort();
  const logouts: Logout[] = [];
  let server: SiteServer | undefined;
  let answer: number | null = 200;
  let requests = 0;

  async function verify(request: IncomingMessage): Promise<Logout> {
    const issuer = issuerOf();
    const token = new URLSearchParams(await text(request)).get("logout_token") ?? "";
    const { payload, protectedHeader } = await jwtVerify(
      token,
      createRemoteJWKSet(new URL(`${gatewayOf()}/.well-known/jwks.json`)),
      {
        issuer,
        audience,
        typ: "logout+jwt",
        algorithms: ["RS256"],
        maxTokenAge: "2 minutes",
        requiredClaims: ["iat", "exp", "jti", "events", "sub"],
      },
    );
    const events = payload.events as Record<string, unknown>;
    const isKnown = logouts.some(({ claims }) => claims.jti === payload.jti);
    if (typeof events[logoutEvent] !== "object" || "nonce" in payload || isKnown) throw new Error("no logout token");
    return { header: protectedHeader, claims: payload, path: request.url ?? "" };
  }

  const listener: LogoutListener = {
    origin: `http://localhost:${port}`,
    logouts,
    of: (sub) => logouts.filter(({ claims }) => claims.sub === sub),
    get requests() {
      return requests;
    },
    answerWith(status) {
      answer = status;
    },
    async start() {
      server = await startSiteServer(
        async (request, response) => {
          requests++;
          if (answer === null) return;
          if (answer !== 200) {
            response.writeHead(answer, { location: `http://localhost:${port}/elsewhere` }).end();
            return;
          }
          try {
            const isForm = request.headers["content-type"]?.startsWith("application/x-www-form-urlencoded");
            if (request.method !== "POST" || !isForm) throw new Error("no form");
            logouts.push(await verify(request));
            response.writeHead(200, { "cache-control": "no-store" }).end();
          } catch (error) {
            response.writeHead(400).end(String(error));
          }
        },
        { port },
      );
    },
    async stop() {
      await server?.stop();
      server = undefined;
    },
  };
  await listener.start();
  return listener;
}
