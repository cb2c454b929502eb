/** Who is logged in at relying parties: the policy that asks the store for the admission before a code is issued, and the claims that go with it. */

import { hash } from "node:crypto";
import {
  type Account,
  type Adapter,
  type Client,
  errors,
  type FindAccount,
  interactionPolicy,
  type KoaContextWithOIDC,
  type Provider,
  type RefreshToken,
} from "oidc-provider";
import type { ExtraClaim } from "../../config/config.ts";
import type { ClientDirectory } from "../../registry/index.ts";
import type { Admission, AwayAdmission, WaitingRoom, WaitingRooms } from "../../room/index.ts";
import type { Identities } from "../identity/identities.ts";
import type { LoginRefusal, LoginVerdict, OidcParts } from "../parts.ts";
import { keepGrant, orTemporarilyUnavailable, type RecordStores, type SealedLogins } from "./records.ts";

const { base, Check, Prompt } = interactionPolicy;

type PolicyParts = Pick<OidcParts, "rooms" | "verdicts"> & {
  readonly records: Pick<RecordStores, "ofRoom" | "idIn">;
};

/**
 * The authority over who gets a code. Its first prompt verifies with the store that the visitor is admitted
 * and that this very request was recorded with the admission, then logs them in within the same request.
 * Without that it throws: a stored interaction is never made, whatever the gate did.
 */
export function createAdmissionPolicy(parts: PolicyParts): interactionPolicy.DefaultPolicy {
  const policy = base();
  // There is nothing to consent to. The prompt stays, or `prompt=consent` would be an invalid request.
  policy.get("consent")?.checks.clear();
  // Nor is there an account to choose: as with `prompt=login`, the admission is the answer.
  policy.add(new Prompt({ name: "select_account", requestable: true }), 0);
  for (const prompt of policy) {
    for (const check of prompt.checks) throwInsteadOfPrompting(prompt.name, check);
  }
  policy.add(
    new Prompt(
      { name: "admission", requestable: false },
      new Check("not_admitted", "the visitor is not admitted", "interaction_required", (ctx) =>
        logInAdmitted(ctx, parts),
      ),
    ),
    0,
  );
  return policy;
}

/**
 * What the library's own checks would ask the visitor for, nobody can give: there is no login form. So the
 * relying party gets the error that it would get for `prompt=none` (OpenID Connect Core 3.1.2.6).
 */
function throwInsteadOfPrompting(prompt: string, check: interactionPolicy.Check): void {
  const inner = check.check;
  const error = check.error ?? (prompt === "login" ? "login_required" : "interaction_required");
  check.check = async (ctx) => {
    if (await inner(ctx)) {
      throw new errors.CustomOIDCProviderError(error, check.description);
    }
    return Check.NO_NEED_TO_PROMPT;
  };
}

async function logInAdmitted(ctx: KoaContextWithOIDC, { rooms, verdicts, records }: PolicyParts): Promise<boolean> {
  const { oidc } = ctx;
  if (!oidc.requestParamOIDCScopes.has("openid")) {
    throw new errors.InvalidScope("the scope openid is required", "openid");
  }
  const verdict = verdicts.get(ctx.req);
  if (typeof verdict === "string") throw refusals[verdict]();
  const room = verdict && rooms.get(verdict.room);
  if (verdict === undefined || room === undefined || oidc.client === undefined) {
    throw new errors.InteractionRequired("the visitor has to open a page");
  }
  const admission = verdict.away ?? (await admissionOf(room, verdict));
  if (admission === null) throw new errors.InteractionRequired("the visitor is not admitted");

  const { session } = oidc;
  if (session === undefined) throw new errors.InteractionRequired();
  if (session.accountId !== undefined && session.accountId !== verdict.sub) {
    // A session of another visitor (another room, or this one after a new start) is replaced, not reused.
    session.authorizations = {};
    session.resetIdentifier();
  }
  // One that has just begun, or is another one now, is kept where the room is.
  const sessionId = records.idIn(records.ofRoom(room.id), session.jti);
  if (session.jti !== sessionId) session.jti = sessionId;
  const admittedSec = Math.floor(admission.admittedMs / 1_000);
  const isOlderThanAdmission = (session.loginTs ?? 0) < admittedSec;
  // Silently nobody is logged in anew: it was when they were admitted. Where that is too long ago, the prompt `login` says so.
  const isSilent = oidc.prompts.has("none");
  if (session.accountId !== verdict.sub || isOlderThanAdmission || (!isSilent && isFreshLoginWanted(ctx))) {
    session.loginAccount({ accountId: verdict.sub, ...(isSilent && { loginTs: admittedSec }) });
    // By the store's clock, which may be ahead of this process's: it separates tokens of an earlier admission.
    session.loginTs = Math.max(session.loginTs ?? 0, admittedSec);
  }
  // The prompts that the relying party asked for are done with; left in place they would be asked again.
  if (oidc.params !== undefined) oidc.params.prompt = undefined;
  oidc.entity("Account", accountOf(room, admission));

  const { clientId } = oidc.client;
  const grant = new oidc.provider.Grant({ accountId: verdict.sub, clientId });
  grant.addOIDCScope([...oidc.requestParamOIDCScopes].join(" "));
  Object.assign(grant, verdict.grant);
  const grantId = verdict.away === undefined ? await grant.save() : await keepGrant(grant);
  session.ensureClientContainer(clientId);
  session.sidFor(clientId, sessionIdOf(clientId, admission));
  session.grantIdFor(clientId, grantId);
  oidc.entity("Grant", grant);
  return Check.NO_NEED_TO_PROMPT;
}

/** The store's word on what the gate says. Null: it knows of no such login. */
async function admissionOf(room: WaitingRoom, { sub, login }: LoginVerdict): Promise<Admission | null> {
  const admission = await orTemporarilyUnavailable(room.admissions.find(sub));
  const isAdmitted = admission !== null && admission.ended === null && admission.logins.includes(login);
  return isAdmitted ? admission : null;
}

const refusals: Readonly<Record<LoginRefusal, () => Error>> = {
  in_line: () => new errors.InteractionRequired("the visitor is still in line"),
  not_logged_in: () => new errors.LoginRequired("the visitor is not logged in"),
  other_visitor: () => new errors.LoginRequired("id_token_hint names another visitor"),
};

/** Whether the relying party wants `auth_time` to advance: `prompt=login`, or a `max_age` that has passed. */
function isFreshLoginWanted({ oidc }: KoaContextWithOIDC): boolean {
  const maxAge = oidc.params?.max_age;
  return oidc.prompts.has("login") || (maxAge !== undefined && oidc.session?.past(Number(maxAge)) === true);
}

/** The claims that say how a visitor was admitted. */
export interface AdmissionClaims {
  [claim: string]: unknown;
  room: string;
  queue_position: number | null;
  admitted_via: (Admission | AwayAdmission)["via"];
  /** Seconds since the Unix epoch. */
  admitted_at: number;
}

/** Claims that come with the scope `openid`, in the ID token and at userinfo; the last two only where the client has them. */
export const openidClaims = [
  ...["sub", "room", "queue_position", "admitted_via", "admitted_at", "auth_time"],
  ...(["email", "email_verified"] satisfies ExtraClaim[]),
];

export function admissionClaims(room: string, admission: Admission | AwayAdmission): AdmissionClaims {
  return {
    room,
    queue_position: admission.position === 0 ? null : admission.position,
    admitted_via: admission.via,
    admitted_at: Math.floor(admission.admittedMs / 1_000),
  };
}

/** An account that carries the claims it was made with. */
export interface VisitorAccount extends Account {
  readonly frozenClaims: AdmissionClaims | null;
  /** When the admission lapses, in milliseconds, and the latest time to which it may be extended; null where not looked up. */
  readonly expiresMs: number | null;
  readonly latestEndMs: number | null;
}

/**
 * Finds visitors. An exchange of a code or a refresh token needs a live admission to a room of the client, which an exchange of a code
 * makes one of a visitor whom a site has seen, and which a refresh extends where admissions are sliding: so the operator's word ends the session at a relying party that refreshes. An access token carries
 * the claims it was issued with, so that userinfo says what the ID token said.
 */
export function createFindAccount(
  rooms: WaitingRooms,
  clients: ClientDirectory,
  logins: SealedLogins,
  identities: Pick<Identities, "claimsOf" | "isOf">,
): FindAccount {
  return async (ctx: KoaContextWithOIDC, sub, token) => {
    const room = rooms.ofVisitor(sub);
    if (room === undefined) return undefined;
    if (token === undefined) return createAccount(sub, null);
    if (!isOfThisClient(clients, token)) return undefined;
    const client = clients.get(token.clientId ?? "");
    const isOfClient = client?.rooms.includes(room.id) === true;
    const account = await find(ctx, room, token, sub, client);
    return account === undefined || !isOfClient ? account : withIdentity(ctx, room, account);
  };

  async function find(
    ctx: KoaContextWithOIDC,
    room: WaitingRoom,
    token: NonNullable<Parameters<FindAccount>[2]>,
    sub: string,
    client: ReturnType<ClientDirectory["get"]>,
  ): Promise<VisitorAccount | undefined> {
    if (token.kind === "AccessToken") {
      return createAccount(sub, (token.extra ?? null) as AdmissionClaims | null, client?.claims);
    }
    // The room was taken off the client since; its visitors are no business of it any more, and nothing is extended.
    if (client?.rooms.includes(room.id) !== true) return undefined;
    const sealed = token.kind === "AuthorizationCode" ? await logins.open(token.jti) : null;
    if (sealed !== null) return accountOf(room, sealed.admission, client.claims);
    // A rotated token that comes again is about to be refused, and extends nothing.
    const isRefresh = token.kind === "RefreshToken" && !("consumed" in token && token.consumed);
    // What a client asks with has come to it: it has seen the visitor.
    const found = await orTemporarilyUnavailable(isRefresh ? room.admissions.renew(sub) : room.admissions.visit(sub));
    if (isLiveFor(token, found)) return accountOf(room, found, client.claims);
    // The admission is over, and with it all that the login's grant has issued: refresh tokens and access tokens.
    if (isRefresh) await orTemporarilyUnavailable(revokeGrant(ctx.oidc.provider, (token as RefreshToken).grantId));
    return undefined;
  }

  /** With what the room's provider says of the visitor. Nothing of it takes the place of what Usher says, but for a real address. */
  function withIdentity(ctx: KoaContextWithOIDC, room: WaitingRoom, account: VisitorAccount): VisitorAccount {
    if (!identities.isOf(room)) return account;
    const { accountId, frozenClaims } = account;
    return {
      ...account,
      async claims(...args) {
        const grant = ctx.oidc.entities.Grant as { identity?: string } | undefined;
        const provided = await identities.claimsOf(room, grant?.identity);
        return { ...(await account.claims(...args)), ...provided, ...frozenClaims, sub: accountId };
      },
    };
  }
}

/** A grant of such a login carries who the visitor is, encrypted, to the requests that have no cookie. */
export function carryIdentity({ Grant }: Provider): void {
  const members: readonly string[] = (Grant as unknown as { IN_PAYLOAD: string[] }).IN_PAYLOAD;
  Object.defineProperty(Grant, "IN_PAYLOAD", { get: () => [...members, "identity"] });
}

interface OwnedToken {
  readonly kind: string;
  readonly iat?: number | undefined;
  readonly clientId?: string | undefined;
  readonly accountId?: string;
}

/**
 * Whether a client learns of a token by introspection (RFC 7662): of its own tokens only, and of a refresh token only
 * while the admission that it needs lasts, in a room of the client (§4: all checks that its use would meet). An access
 * token is judged as userinfo judges it. For all others the answer is that the token is not active, and nothing else.
 */
export function createIntrospectionPolicy(rooms: WaitingRooms, clients: ClientDirectory) {
  return async (_ctx: KoaContextWithOIDC, client: Client, token: OwnedToken): Promise<boolean> => {
    if (token.clientId !== client.clientId || !isOfThisClient(clients, token)) return false;
    if (token.kind !== "RefreshToken") return true;
    const sub = token.accountId ?? "";
    const room = rooms.ofVisitor(sub);
    if (room === undefined || clients.get(client.clientId)?.rooms.includes(room.id) !== true) return false;
    return isLiveFor(token, await orTemporarilyUnavailable(room.admissions.find(sub)));
  };
}

/** Whether it was issued to the client that has the id now. What is sealed into a token itself has no time there. */
function isOfThisClient(
  clients: ClientDirectory,
  { clientId = "", iat }: Pick<OwnedToken, "iat"> & { readonly clientId?: string | undefined },
): boolean {
  return iat === undefined || clients.get(clientId) === undefined || clients.wasThere(clientId, iat);
}

/** A client revokes only its own tokens, and gets an error for others (RFC 7009 §2.1). */
export function mayRevoke(_ctx: KoaContextWithOIDC, client: Client, token: OwnedToken): boolean {
  if (token.clientId === client.clientId) return true;
  throw new errors.InvalidRequest("the token was issued to another client");
}

/** Whether an admission is live, and the login that a code or refresh token comes of was made under it, not under an earlier one. */
function isLiveFor(token: object, admission: Admission | null): admission is Admission {
  if (admission === null || admission.ended !== null) return false;
  const loginSec = "authTime" in token ? Number(token.authTime) : Number.NaN;
  return !(loginSec < Math.floor(admission.admittedMs / 1_000));
}

/** With it goes all that it has issued. */
export async function revokeGrant({ Grant }: Provider, grantId: string | undefined): Promise<void> {
  if (grantId !== undefined) await (Grant as unknown as { readonly adapter: Adapter }).adapter.destroy(grantId);
}

/** The account of a visitor whose admission was looked up. */
export function accountOf(
  room: WaitingRoom,
  admission: Admission | AwayAdmission,
  extra: readonly ExtraClaim[] = [],
): VisitorAccount {
  const { sub, expiresMs } = admission;
  const latestEndMs = room.latestEndMs(admission);
  return { ...createAccount(sub, admissionClaims(room.id, admission), extra), expiresMs, latestEndMs };
}

/**
 * @param extra for relying parties that refuse a visitor without an address. Nobody has this one, and nothing can be sent to it:
 *   the domain is reserved (RFC 2606). It is never said to be verified.
 */
function createAccount(
  sub: string,
  frozenClaims: AdmissionClaims | null,
  extra: readonly ExtraClaim[] = [],
): VisitorAccount {
  const claims = () => ({
    sub,
    ...frozenClaims,
    ...(extra.includes("email") && { email: `${sub}@visitor.invalid` }),
    ...(extra.includes("email_verified") && { email_verified: false }),
  });
  return { accountId: sub, frozenClaims, expiresMs: null, latestEndMs: null, claims };
}

/**
 * The claim `sid`: names the admission at each client, and so the session on which a site's own session depends. A late
 * logout ends sessions of the old admission, and none that have begun since.
 */
export function sessionIdOf(clientId: string, { sub, admittedMs }: Pick<Admission, "sub" | "admittedMs">): string {
  return hash("sha256", `${clientId} ${sub} ${admittedMs}`, "base64url").slice(0, 22);
}
