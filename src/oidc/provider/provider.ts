import { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { decodeJwt } from "jose";
import { errors, type KoaContextWithOIDC, Provider } from "oidc-provider";
import { createDocumentFetch } from "../../lib/bounded-fetch.ts";
import { runByClock } from "../../lib/clock-and-random.ts";
import { usherParameters } from "../gate/authorization-request.ts";
import { createLogout } from "../logout/logout.ts";
import type { OidcParts, ProviderPages } from "../parts.ts";
import {
  carryIdentity,
  createAdmissionPolicy,
  createFindAccount,
  createIntrospectionPolicy,
  mayRevoke,
  openidClaims,
  type VisitorAccount,
} from "./admission-policy.ts";
import {
  clientAuthAlgs,
  clientAuthMetadata,
  clientAuthMethods,
  clientErrorEvents,
  clientsFrom,
  directClients,
  mayAskFrom,
  slowFailedClient,
} from "./clients.ts";
import {
  acceptPlainCredentials,
  bindAccessTokens,
  boundForm,
  correctAnswers,
  createCookieSignatures,
  refuseObjectsAsTheyAsk,
} from "./corrections.ts";
import { boundPushedRequests, type PushedParameters } from "./pushed-requests.ts";
import {
  boundRecords,
  createRecordStores,
  createSealedLogins,
  isSealed,
  keepSessionCookies,
  sealTokens,
  withoutStore,
} from "./records.ts";

export type OidcProvider = ReturnType<typeof createOidcProvider>;

/** For the key set of a client. */
const keysTimeoutMs = 2_500;
/** Tokens say until when their visitor is admitted, but never so short that a clock may be off by it. */
const minTtlSec = 60;

/** Seconds. An authorization code is redeemed at once or not at all. */
const codeTtlSec = 60;
/** A client assertion is remembered for so long at most, and one that leaks is worth something for so long (RFC 7523, section 3). */
const assertionMaxMs = 10 * 60_000;
const accessTokenTtlSec = 3_600;
/** Seconds; for clients with refresh tokens, which return after this time and learn that an admission has ended. */
const refreshedAccessTokenTtlSec = 300;
/** Seconds, for a visitor who has logged in; where an admission lasts longer, the next login begins a new session. */
const sessionTtlSec = 24 * 3_600;

/** What logs and metrics go by. */
const reportedEvents = ["server_error", "authorization.error"] as const;

type ProviderParts = Pick<
  OidcParts,
  | "issuer"
  | "rooms"
  | "directory"
  | "clients"
  | "keys"
  | "cookies"
  | "verdicts"
  | "identities"
  | "adapter"
  | "languages"
  | "failures"
  | "clock"
> & { readonly responder: ProviderPages };

export function createOidcProvider(parts: ProviderParts) {
  const { issuer, rooms, clients, keys, responder: pages, failures, clock } = parts;
  const isSecure = issuer.startsWith("https:");
  const fetchKeys = createDocumentFetch({ timeoutMs: keysTimeoutMs });
  const sessionName = isSecure ? "__Host-usher.session" : "usher.session";
  const sessionCookie = { httpOnly: true, sameSite: "lax", secure: isSecure, signed: true, path: "/" } as const;

  const logout = createLogout(rooms, parts.cookies, sessionCookie);
  const sealedLogins = createSealedLogins(parts);
  const records = createRecordStores(parts, sealedLogins);
  const events = new EventEmitter();
  const addresses = new WeakMap<IncomingMessage, () => string>();
  let provider = build();
  let callback = provider.callback();
  // oidc-provider takes its keys once. What is under way is finished by the one that it began with.
  keys.onChange(() => {
    provider = build();
    callback = provider.callback();
  });

  return {
    /**
     * Answers OpenID Connect's endpoints, and 404 for everything else.
     *
     * @param address whose request it is
     */
    handle(request: IncomingMessage, response: ServerResponse, address: () => string): Promise<void> {
      addresses.set(request, address);
      if (request.method === "POST") boundForm(request);
      // Its records and tokens are other processes' too, so they go by the clock that all share.
      const answer = () => runByClock(clock, () => callback(request, response));
      const verdict = parts.verdicts.get(request);
      const away = typeof verdict === "object" ? verdict.away : undefined;
      return away === undefined ? answer() : withoutStore(away, answer);
    },
    /** The visitor that an `id_token_hint` names; null for a hint that would be refused. Asks no store. */
    async readIdTokenHint(hint: string, clientId: string): Promise<string | null> {
      const client = await provider.Client.find(clientId);
      if (client === undefined) return null;
      try {
        const { payload } = await runByClock(clock, () => provider.IdToken.validate(hint, client));
        return String(payload.sub);
      } catch {
        return null;
      }
    },
    /** A pushed authorization request; null for one that is not known, was used, or has expired, or while the store is away. */
    async readPushedRequest(id: string): Promise<PushedParameters | null> {
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
    /** oidc-provider's own events, for logs and metrics. */
    events,
  };

  function build(): Provider {
    const { signing, cookies } = keys.current;
    // Rooms for which visitors sign in are of the file alone.
    const claimsOfIdentities = parts.directory.all.flatMap(({ identity }) => identity?.claims ?? []);
    const algs = [...new Set(signing.map(({ alg }) => alg))];
    const built = new Provider(issuer, {
      adapter: clientsFrom(clients, algs, records.adapterFactory),
      assertJwtClientAuthClaimsAndHeader: (_ctx, { exp }) => {
        if (Number(exp) * 1_000 <= clock.now() + assertionMaxMs) return;
        const most = `${assertionMaxMs / 60_000} minutes`;
        throw new errors.InvalidClientAuth(`exp of the client_assertion is further away than ${most}`);
      },
      // OpenID Connect Core 3.1.2.1 and RFC 6749 4.1.3: the redirect URI is always named, and the same both times.
      allowOmittingSingleRegisteredRedirectUri: false,
      claims: { openid: [...new Set([...openidClaims, ...claimsOfIdentities])] },
      clientAuthMethods: [...clientAuthMethods],
      clientBasedCORS: mayAskFrom,
      cookies: {
        keys: createCookieSignatures(cookies),
        // Of a session alone: no interaction is ever stored.
        names: { session: sessionName },
        long: sessionCookie,
      },
      discovery: {
        ...clientAuthMetadata,
        request_parameter_supported: false,
        ui_locales_supported: [...parts.languages],
      },
      enabledJWA: { idTokenSigningAlgValues: algs, clientAuthSigningAlgValues: [...clientAuthAlgs] },
      expiresWithSession: () => false,
      // Whatever revokes a token revokes its grant: by that its others are void.
      revokeGrantPolicy: () => true,
      // Ours, which a pushed request carries, too.
      extraParams: [...usherParameters],
      extraTokenClaims: (ctx) => {
        const { account, entities } = ctx.oidc;
        const claims = visitorOf(account)?.frozenClaims ?? undefined;
        const source = entities.AuthorizationCode ?? entities.RefreshToken;
        return claims && { ...claims, auth_time: source?.authTime };
      },
      features: {
        backchannelLogout: { enabled: true },
        devInteractions: { enabled: false },
        dPoP: { enabled: true },
        introspection: { enabled: true, allowedPolicy: createIntrospectionPolicy(rooms, clients) },
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
        return fetchKeys(url as string | URL, { ...request, redirect: "error" });
      },
      findAccount: createFindAccount(rooms, clients, sealedLogins, parts.identities),
      interactions: {
        policy: createAdmissionPolicy({ ...parts, records }),
        url: () => {
          throw new errors.InteractionRequired();
        },
      },
      // Where no store knows of the login, the next one is a new one.
      issueRefreshToken: async ({ oidc }, client) =>
        client.grantTypeAllowed("refresh_token") && !isSealed(oidc.entities.Grant?.jti),
      // Only public clients: a load balancer's nodes refresh side by side, and are known by their secret (RFC 9700, 4.14.2).
      rotateRefreshToken: ({ oidc }) => oidc.client?.clientAuthMethod === "none",
      jwks: { keys: [...signing] },
      // Every code gets a grant of its own.
      loadExistingGrant: async () => undefined,
      pkce: { required: (_ctx, client) => clients.get(client.clientId)?.requirePkce ?? true },
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
        RefreshToken: ({ oidc }) => secondsUntil(visitorOf(oidc.account)?.latestEndMs),
        Session: sessionTtlSec,
        IdToken: ({ oidc }) => secondsUntil(visitorOf(oidc.account)?.expiresMs),
      },
    });
    // Host and protocol have been replaced by the issuer's before a request comes here.
    built.proxy = true;
    built.use(keepSessionCookies(sessionName));
    built.use(acceptPlainCredentials(clients));
    built.use(correctAnswers(clients));
    built.use(refuseObjectsAsTheyAsk);
    built.use(logout.middleware);
    directClients(clients, built);
    bindAccessTokens(built);
    carryIdentity(built);
    records.nameRecords(built);
    sealTokens(built, sealedLogins);
    boundPushedRequests(built);
    boundRecords(built, clock);
    const emitter = built as EventEmitter;
    for (const name of reportedEvents) emitter.on(name, (...args: unknown[]) => events.emit(name, ...args));
    for (const name of clientErrorEvents) {
      emitter.on(name, (ctx: KoaContextWithOIDC, error: { error?: string }) => {
        const isRefused = error.error === "invalid_client";
        // What comes too often is no news.
        if (isRefused && slowFailedClient(ctx, failures, addresses.get(ctx.req)?.() ?? "")) return;
        events.emit(name, ctx, error);
      });
    }
    return built;
  }

  function secondsUntil(endMs: number | null | undefined): number {
    return Math.max(minTtlSec, Math.floor(((endMs ?? 0) - clock.now()) / 1_000));
  }
}

function visitorOf(account: unknown): VisitorAccount | undefined {
  return account as VisitorAccount | undefined;
}
