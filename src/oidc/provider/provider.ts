import { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { decodeJwt } from "jose";
import { type AdapterFactory, type ErrorOut, errors, type KoaContextWithOIDC, Provider } from "oidc-provider";
import { type Clock, runByClock } from "../../lib/clock.ts";
import type { FailedAttempts } from "../../lib/failed-attempts.ts";
import type { ClientDirectory, IssuerKeys } from "../../registry/index.ts";
import type { WaitingRooms } from "../../room/index.ts";
import { ownParameters } from "../gate/authorization-request.ts";
import type { LoginVerdicts } from "../gate/login-verdicts.ts";
import type { VisitorCookies } from "../gate/visitor-cookies.ts";
import { createLogout } from "../logout/logout.ts";
import { bindAccessTokens } from "./access-token-hash.ts";
import { createFindAccount, openidClaims, type VisitorAccount } from "./accounts.ts";
import { createAdapterFactory } from "./adapter.ts";
import { createAdmissionPolicy } from "./admission-policy.ts";
import { boundForm } from "./bounded-form.ts";
import { acceptSecretsOf, clientsFrom, leaveLogoutsToAdmissions } from "./clients.ts";
import { correctAnswers } from "./correct-answers.ts";
import { escapeJson } from "./escaped-json.ts";
import { clientErrorEvents, slowFailedClient } from "./failed-clients.ts";
import { clientAuthAlgs, clientAuthMethods, furtherMetadata } from "./metadata.ts";
import { createIntrospectionPolicy, mayRevoke } from "./own-tokens.ts";
import { boundPushedRequests } from "./pushed-bounds.ts";
import type { PushedParameters } from "./pushed-requests.ts";
import { tellWhenToRetry } from "./unavailable.ts";

/** Pages that oidc-provider needs. Implemented where pages live. */
export interface ProviderPages {
  error(ctx: KoaContextWithOIDC, out: ErrorOut): void;
  /** Asks whether to log out; the form posts `xsrf` and `logout=yes` to `action`. */
  confirmLogout(ctx: KoaContextWithOIDC, form: { action: string; xsrf: string }): void;
  loggedOut(ctx: KoaContextWithOIDC): void;
}

export interface OidcProviderOptions {
  readonly issuer: string;
  readonly clients: ClientDirectory;
  readonly keys: IssuerKeys;
  readonly adapter: AdapterFactory;
  readonly rooms: WaitingRooms;
  readonly verdicts: LoginVerdicts;
  readonly cookies: VisitorCookies;
  readonly pages: ProviderPages;
  /** Tags of the languages that the pages speak, for the metadata. */
  readonly languages: readonly string[];
  readonly failures: FailedAttempts;
  readonly clock: Clock;
}

export interface OidcProvider {
  /**
   * Answers OpenID Connect's endpoints, and 404 for everything else.
   *
   * @param address whose request it is
   */
  readonly handle: (request: IncomingMessage, response: ServerResponse, address: () => string) => Promise<void>;
  /** The visitor that an `id_token_hint` names; null for a hint that would be refused. Asks no store. */
  readonly readIdTokenHint: (hint: string, clientId: string) => Promise<string | null>;
  /** A pushed authorization request; null for one that is not known, was used, or has expired, or while the store is away. */
  readonly readPushedRequest: (id: string) => Promise<PushedParameters | null>;
  /** oidc-provider's own events, for logs and metrics. */
  readonly events: EventEmitter;
}

/** Tokens say until when their visitor is admitted, but never so short that a clock may be off by it. */
const minTtlSec = 60;

/** Seconds. An authorization code is redeemed at once or not at all. */
const codeTtlSec = 60;
const accessTokenTtlSec = 3_600;
/** Seconds; for clients with refresh tokens, which return after this time and learn that an admission has ended. */
const refreshedAccessTokenTtlSec = 300;
/** Seconds, for a visitor who has logged in; where an admission lasts longer, the next login begins a new session. */
const sessionTtlSec = 24 * 3_600;
/** Of a session that nobody has logged in to: all that it holds is a question that waits for its answer. */
const emptySessionTtlSec = 600;

/** What logs and metrics go by. */
const heardEvents = ["server_error", "authorization.error"] as const;

function visitorOf(account: unknown): VisitorAccount | undefined {
  return account as VisitorAccount | undefined;
}

export function createOidcProvider(options: OidcProviderOptions): OidcProvider {
  const { issuer, rooms, pages, clock } = options;
  const isSecure = issuer.startsWith("https:");
  const prefix = isSecure ? "__Host-usher" : "usher";
  const attributes = { httpOnly: true, sameSite: "lax", secure: isSecure, signed: true } as const;
  const sessionCookie = { ...attributes, path: "/" };

  const logout = createLogout(rooms, options.cookies, sessionCookie);
  const records = createAdapterFactory(options.adapter);
  const events = new EventEmitter();
  const addresses = new WeakMap<IncomingMessage, () => string>();
  let provider = build();
  let callback = provider.callback();
  // oidc-provider takes its keys once. What is under way is finished by the one that it began with.
  options.keys.onChange(() => {
    provider = build();
    callback = provider.callback();
  });

  return {
    handle(request, response, address) {
      addresses.set(request, address);
      if (request.method === "POST") boundForm(request);
      // Its records and tokens are other processes' too, so they go by the clock that all share.
      return runByClock(clock, () => callback(request, response));
    },
    async readIdTokenHint(hint, clientId) {
      const client = await provider.Client.find(clientId);
      if (client === undefined) return null;
      try {
        const { payload } = await runByClock(clock, () => provider.IdToken.validate(hint, client));
        return String(payload.sub);
      } catch {
        return null;
      }
    },
    async readPushedRequest(id) {
      try {
        const pushed = await provider.PushedAuthorizationRequest.find(id);
        if (pushed?.isValid !== true) return null;
        const claims = Object.entries(decodeJwt(pushed.request));
        return Object.fromEntries(claims.filter((claim): claim is [string, string] => typeof claim[1] === "string"));
      } catch {
        // The store cannot be asked, or it is no request.
        return null;
      }
    },
    events,
  };

  function build(): Provider {
    const { signing, cookies } = options.keys.current;
    const algs = [...new Set(signing.map(({ alg }) => alg))];
    const built = new Provider(issuer, {
      adapter: clientsFrom(options.clients, algs, records),
      // OpenID Connect Core 3.1.2.1 and RFC 6749 4.1.3: the redirect URI is always named, and the same both times.
      allowOmittingSingleRegisteredRedirectUri: false,
      claims: { openid: openidClaims },
      clientAuthMethods: [...clientAuthMethods],
      cookies: {
        keys: [...cookies],
        names: {
          session: `${prefix}.session`,
          // These are never set: no interaction is ever stored.
          interaction: "usher.interaction",
          resume: "usher.resume",
        },
        long: sessionCookie,
        short: attributes,
      },
      discovery: furtherMetadata(options.languages),
      enabledJWA: { idTokenSigningAlgValues: algs, clientAuthSigningAlgValues: [...clientAuthAlgs] },
      expiresWithSession: () => false,
      // Ours, which a pushed request carries, too.
      extraParams: [...ownParameters],
      extraTokenClaims: (ctx) => {
        const { account, entities } = ctx.oidc;
        const claims = (account as VisitorAccount | undefined)?.frozenClaims ?? undefined;
        const source = entities.AuthorizationCode ?? entities.RefreshToken;
        return claims && { ...claims, auth_time: source?.authTime };
      },
      features: {
        backchannelLogout: { enabled: true },
        devInteractions: { enabled: false },
        dPoP: { enabled: true },
        introspection: { enabled: true, allowedPolicy: createIntrospectionPolicy(rooms, options.clients) },
        pushedAuthorizationRequests: { enabled: true },
        resourceIndicators: { enabled: false },
        revocation: { enabled: true, allowedPolicy: mayRevoke },
        rpInitiatedLogout: {
          enabled: true,
          logoutSource: async (ctx) => {
            if (await logout.byHint(ctx)) return;
            const action = ctx.oidc.urlFor("end_session_confirm");
            pages.confirmLogout(ctx, { action, xsrf: String(ctx.oidc.session?.state?.secret) });
          },
          postLogoutSuccessSource: (ctx) => pages.loggedOut(ctx),
        },
      },
      // Only a client's keys are asked for. Sites stand in private networks, which oidc-provider's own dispatcher refuses; the
      // operator says where the keys are, and nobody is followed elsewhere.
      fetch: (url, init) => {
        const { dispatcher: _, ...request } = { ...init } as RequestInit & { dispatcher?: unknown };
        return fetch(url, { ...request, redirect: "error" });
      },
      findAccount: createFindAccount(rooms, options.clients),
      interactions: {
        policy: createAdmissionPolicy(rooms, options.verdicts),
        url: () => {
          throw new errors.InteractionRequired();
        },
      },
      issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed("refresh_token"),
      // Only public clients: a load balancer's nodes refresh side by side, and are known by their secret (RFC 9700, 4.14.2).
      rotateRefreshToken: ({ oidc }) => oidc.client?.clientAuthMethod === "none",
      jwks: { keys: [...signing] },
      // Every code gets a grant of its own.
      loadExistingGrant: async () => undefined,
      pkce: {
        required: (_ctx, client) => options.clients.get(client.clientId)?.requirePkce ?? true,
      },
      renderError: (ctx, out) => pages.error(ctx, out),
      responseTypes: ["code"],
      routes: {
        authorization: "/authorize",
        end_session: "/logout",
        introspection: "/introspect",
        jwks: "/.well-known/jwks.json",
        pushed_authorization_request: "/par",
        revocation: "/revoke",
        token: "/token",
        userinfo: "/userinfo",
      },
      scopes: ["openid"],
      ttl: {
        AccessToken: ({ oidc }, _token, client) => {
          const most = client.grantTypeAllowed("refresh_token") ? refreshedAccessTokenTtlSec : accessTokenTtlSec;
          return Math.min(most, secondsUntil(visitorOf(oidc.account)?.expiresMs));
        },
        AuthorizationCode: codeTtlSec,
        // The token that is issued at the last moment needs it to its end.
        Grant: ({ oidc }) => {
          const isRefreshed = oidc.client?.grantTypeAllowed("refresh_token") === true;
          const lastSec = isRefreshed ? secondsUntil(visitorOf(oidc.account)?.latestEndMs) : codeTtlSec;
          return lastSec + accessTokenTtlSec;
        },
        Interaction: 60,
        RefreshToken: ({ oidc }) => secondsUntil(visitorOf(oidc.account)?.latestEndMs),
        Session: (_ctx, { accountId }) => (accountId === undefined ? emptySessionTtlSec : sessionTtlSec),
        IdToken: ({ oidc }) => secondsUntil(visitorOf(oidc.account)?.expiresMs),
      },
    });
    // Host and protocol have been replaced by the issuer's before a request comes here.
    built.proxy = true;
    built.use(escapeJson);
    built.use(logout.middleware);
    built.use(tellWhenToRetry);
    built.use(correctAnswers(options.clients));
    acceptSecretsOf(options.clients, built);
    leaveLogoutsToAdmissions(built);
    bindAccessTokens(built);
    boundPushedRequests(built);
    const emitter = built as EventEmitter;
    for (const name of heardEvents) emitter.on(name, (...args: unknown[]) => events.emit(name, ...args));
    for (const name of clientErrorEvents) {
      emitter.on(name, (ctx: KoaContextWithOIDC, error: { error?: string }) => {
        const address = addresses.get(ctx.req)?.() ?? "";
        // What comes too often is no news.
        if (!slowFailedClient(ctx, error, options.failures, address)) events.emit(name, ctx, error);
      });
    }
    return built;
  }

  function secondsUntil(endMs: number | null | undefined): number {
    return Math.max(minTtlSec, Math.floor(((endMs ?? 0) - clock.now()) / 1_000));
  }
}
