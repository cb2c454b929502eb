import type { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type AdapterFactory, type ErrorOut, errors, type KoaContextWithOIDC, Provider } from "oidc-provider";
import type { ClientConfig, SigningJwk } from "../config/config.ts";
import type { Clock } from "../lib/clock.ts";
import type { WaitingRooms } from "../waiting-room/index.ts";
import { createFindAccount, openidClaims, type VisitorAccount } from "./accounts.ts";
import { createAdapterFactory } from "./adapter.ts";
import { createAdmissionPolicy } from "./admission-policy.ts";
import { clientMetadata } from "./clients.ts";
import type { LoginVerdicts } from "./login-verdicts.ts";
import { createLogout } from "./logout.ts";
import type { VisitorCookies } from "./visitor-cookies.ts";

/** Pages that oidc-provider needs. Implemented where pages live. */
export interface ProviderPages {
  error(ctx: KoaContextWithOIDC, out: ErrorOut): void;
  /** Asks whether to log out; the form posts `xsrf` and `logout=yes` to `action`. */
  confirmLogout(ctx: KoaContextWithOIDC, form: { action: string; xsrf: string }): void;
  loggedOut(ctx: KoaContextWithOIDC): void;
}

export interface OidcProviderOptions {
  readonly issuer: string;
  readonly clients: readonly ClientConfig[];
  readonly signingKeys: readonly SigningJwk[];
  readonly cookieKeys: readonly string[];
  readonly adapter: AdapterFactory;
  readonly rooms: WaitingRooms;
  readonly verdicts: LoginVerdicts;
  readonly cookies: VisitorCookies;
  readonly pages: ProviderPages;
  readonly clock: Clock;
}

export interface OidcProvider {
  /** Answers OpenID Connect's endpoints, and 404 for everything else. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** The visitor that an `id_token_hint` names; null for a hint that would be refused. Asks no store. */
  readonly readIdTokenHint: (hint: string, clientId: string) => Promise<string | null>;
  /** oidc-provider's own events, for logs and metrics. */
  readonly events: EventEmitter;
}

/** An ID token says until when its visitor is admitted, but never so short that a clock may be off by it. */
const minIdTokenSec = 60;

/** Seconds. An authorization code is redeemed at once or not at all. */
const codeTtlSec = 60;
const accessTokenTtlSec = 3_600;
/** Of a visitor who has logged in; where an admission lasts longer, its next login begins a new one. */
const sessionTtlSec = 24 * 3_600;
/** Of a session that nobody has logged in to: all that it holds is a question that waits for its answer. */
const emptySessionTtlSec = 600;

export function createOidcProvider(options: OidcProviderOptions): OidcProvider {
  const { issuer, rooms, pages, clock } = options;
  const isSecure = issuer.startsWith("https:");
  const prefix = isSecure ? "__Host-usher" : "usher";
  const attributes = { httpOnly: true, sameSite: "lax", secure: isSecure, signed: true } as const;
  const sessionCookie = { ...attributes, path: "/" };

  const logout = createLogout(rooms, options.cookies, sessionCookie);
  const provider = new Provider(issuer, {
    adapter: createAdapterFactory(options.adapter),
    // OpenID Connect Core 3.1.2.1 and RFC 6749 4.1.3: the redirect URI is always named, and the same both times.
    allowOmittingSingleRegisteredRedirectUri: false,
    claims: { openid: openidClaims },
    clients: options.clients.map(clientMetadata),
    clientAuthMethods: ["client_secret_basic", "client_secret_post", "none"],
    cookies: {
      keys: [...options.cookieKeys],
      names: {
        session: `${prefix}.session`,
        // These are never set: no interaction is ever stored.
        interaction: "usher.interaction",
        resume: "usher.resume",
      },
      long: sessionCookie,
      short: attributes,
    },
    enabledJWA: { idTokenSigningAlgValues: ["RS256"] },
    expiresWithSession: () => false,
    extraTokenClaims: (ctx) => {
      const { account, entities } = ctx.oidc;
      const claims = (account as VisitorAccount | undefined)?.frozenClaims ?? undefined;
      return claims && { ...claims, auth_time: entities.AuthorizationCode?.authTime };
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: { enabled: false },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx) => {
          logout.rememberHint(ctx);
          const action = ctx.oidc.urlFor("end_session_confirm");
          pages.confirmLogout(ctx, { action, xsrf: String(ctx.oidc.session?.state?.secret) });
        },
        postLogoutSuccessSource: (ctx) => pages.loggedOut(ctx),
      },
    },
    findAccount: createFindAccount(rooms),
    interactions: {
      policy: createAdmissionPolicy(rooms, options.verdicts),
      url: () => {
        throw new errors.InteractionRequired();
      },
    },
    jwks: { keys: [...options.signingKeys] },
    // Every code gets a grant of its own.
    loadExistingGrant: async () => undefined,
    pkce: {
      required: (_ctx, client) =>
        options.clients.find(({ clientId }) => clientId === client.clientId)?.requirePkce ?? true,
    },
    renderError: (ctx, out) => pages.error(ctx, out),
    responseTypes: ["code"],
    routes: {
      authorization: "/authorize",
      end_session: "/logout",
      jwks: "/.well-known/jwks.json",
      token: "/token",
      userinfo: "/userinfo",
    },
    scopes: ["openid"],
    ttl: {
      AccessToken: accessTokenTtlSec,
      AuthorizationCode: codeTtlSec,
      // The token that is issued at the last moment needs it to its end.
      Grant: codeTtlSec + accessTokenTtlSec,
      Interaction: 60,
      RefreshToken: sessionTtlSec,
      Session: (_ctx, { accountId }) => (accountId === undefined ? emptySessionTtlSec : sessionTtlSec),
      IdToken: (ctx) => {
        const expiresMs = (ctx.oidc.account as VisitorAccount | undefined)?.expiresMs ?? 0;
        return Math.max(minIdTokenSec, Math.floor((expiresMs - clock.now()) / 1_000));
      },
    },
  });
  // Host and protocol have been replaced by the issuer's before a request comes here.
  provider.proxy = true;
  provider.use(logout.middleware);
  const callback = provider.callback();
  return {
    handle: (request, response) => callback(request, response),
    async readIdTokenHint(hint, clientId) {
      const client = await provider.Client.find(clientId);
      if (client === undefined) return null;
      try {
        const { payload } = await provider.IdToken.validate(hint, client);
        return String(payload.sub);
      } catch {
        return null;
      }
    },
    events: provider,
  };
}
