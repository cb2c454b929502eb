/**
 * Logins that no store knows (`rooms[].when_away: let_in`): all that a store would keep of a code or an access token is in the token itself,
 * encrypted with a key that all processes of the issuer have. A process knows which of them it has seen used; others do not.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Context, Middleware } from "koa";
import { type Adapter, type AdapterPayload, errors, type Grant, type Provider } from "oidc-provider";
import { createLruCache } from "../../lib/lru-cache.ts";
import type { AwayAdmission } from "../../room/index.ts";
import type { OidcParts } from "../parts.ts";
import { createSealing } from "../sealing.ts";

/** A record as oidc-provider makes it. */
export type SealedRecord = Readonly<Record<string, unknown>>;

export interface SealedLogin {
  readonly model: "AuthorizationCode" | "AccessToken";
  readonly record: SealedRecord;
  readonly grant: SealedRecord;
  readonly admission: AwayAdmission;
}

export type SealedLogins = ReturnType<typeof createSealedLogins>;

/** No id of a record in the store begins so: those have no dot. */
const prefix = "away.";
/** Characters. Ours have about 1,600, more with a long nonce, and with what a provider says of the visitor 4,000 more; longer ones are not looked at. */
const lengthMax = 8_192;
/** So many codes that were used, tokens and grants that were revoked are remembered by a process. */
const spentMax = 100_000;

export function isSealed(id: unknown): id is string {
  return typeof id === "string" && id.startsWith(prefix);
}

export function createSealedLogins(parts: Pick<OidcParts, "issuer" | "keys">) {
  const sealing = createSealing<SealedLogin>(parts, "usher login without a store", lengthMax);
  const spent = createLruCache<string, true>(spentMax);

  return {
    seal: async (login: SealedLogin): Promise<string> => prefix + (await sealing.seal(login)),

    /** Null for what no process of this issuer has sealed. Whether it was revoked meanwhile: see `isRevoked`. */
    async open(id: string): Promise<SealedLogin | null> {
      return isSealed(id) ? sealing.open(id.slice(prefix.length)) : null;
    },

    isSpent: (id: string): boolean => spent.has(id),
    /** Whether the grant was, at this process. */
    isRevoked: (login: SealedLogin): boolean => spent.has(grantName(login)),
    /** Answers whether it was there until now: a code is used once, as far as this process knows. */
    take(id: string): boolean {
      if (spent.has(id)) return false;
      spent.set(id, true);
      return true;
    },
    async revokeGrant(id: string): Promise<void> {
      const login = await this.open(id);
      if (login !== null) spent.set(grantName(login), true);
    },
  };
}

function grantName({ grant }: SealedLogin): string {
  return `grant ${grant.jti}`;
}

/** An authorization request that is answered without the store. */
interface AwayRequest {
  readonly admission: AwayAdmission;
  grant: SealedRecord | null;
}

const requests = new AsyncLocalStorage<AwayRequest>();

/** Answers an authorization request with no store asked for sessions and grants. */
export function withoutStore<T>(admission: AwayAdmission, work: () => T): T {
  return requests.run({ admission, grant: null }, work);
}

/** What a token of oidc-provider can do that its types do not say. */
interface TokenModel {
  kind: string;
  jti: string;
  grantId?: string;
  emit(event: string): void;
  generateTokenId(): string;
  getValueAndPayload(): Promise<{ payload: SealedRecord }>;
}

/** Keeps the grant of the request at hand, for its code to carry. Answers its id. */
export async function keepGrant(grant: Grant): Promise<string> {
  const request = requests.getStore();
  if (request === undefined) throw new TypeError("the current request is not one that is answered without the store");
  const model = grant as unknown as TokenModel;
  model.jti = model.generateTokenId();
  request.grant = (await model.getValueAndPayload()).payload;
  return model.jti;
}

/** Codes and access tokens of such logins seal themselves when they are saved. */
export function sealTokens({ AuthorizationCode, AccessToken }: Provider, logins: SealedLogins): void {
  for (const { prototype } of [AuthorizationCode, AccessToken]) {
    // Both know their time to live themselves.
    const { save } = prototype;
    prototype.save = async function saveSealed() {
      const token = this as unknown as TokenModel;
      const login = await loginOf(token);
      if (login === null) return save.call(this);
      // This also decides the token's format.
      token.generateTokenId();
      const { payload: record } = await token.getValueAndPayload();
      const model = token.kind as SealedLogin["model"];
      token.jti = await logins.seal({ ...login, model, record: { ...record, grantId: undefined } });
      token.emit("saved");
      return token.jti;
    };
  }

  /** Whose it is: of the request at hand, or of the code that it comes of. */
  async function loginOf({ grantId }: TokenModel): Promise<Pick<SealedLogin, "grant" | "admission"> | null> {
    if (isSealed(grantId)) return logins.open(grantId);
    const request = requests.getStore();
    return request !== undefined && request.grant !== null ? { ...request, grant: request.grant } : null;
  }
}

/** Sessions of such a request are in no store: the browser keeps the one that it has. */
export function keepSessionCookies(name: string): Middleware {
  return async (ctx: Context, next) => {
    await next();
    if (requests.getStore() === undefined) return;
    const cookies = ctx.res.getHeader("Set-Cookie");
    if (!Array.isArray(cookies)) return;
    const isOfSession = (cookie: string) => cookie.startsWith(`${name}=`) || cookie.startsWith(`${name}.sig=`);
    ctx.res.setHeader(
      "Set-Cookie",
      cookies.filter((cookie) => !isOfSession(cookie)),
    );
  };
}

/** The store's records of one model, and those that are sealed into what names them. */
export function withSealed(model: string, records: Adapter, logins: SealedLogins): Adapter {
  const isUnstored = () => model === "Session" && requests.getStore() !== undefined;

  async function openRecord(id: string): Promise<AdapterPayload | undefined> {
    const login = await logins.open(id);
    // Of a code that came twice at once, the first exchange goes on: what it issues is found no more.
    if (login === null || logins.isRevoked(login)) return undefined;
    if (model === "Grant") return { ...login.grant, jti: id };
    if (model !== login.model) return undefined;
    const isSpent = logins.isSpent(id);
    // A code that comes again is told from one that never was; a token that was revoked is none.
    if (isSpent && model === "AccessToken") return undefined;
    return { ...login.record, jti: id, grantId: id, ...(isSpent && { consumed: true }) } as AdapterPayload;
  }

  return {
    ...records,
    async find(id) {
      if (isSealed(id)) return openRecord(id);
      return isUnstored() ? undefined : records.find(id);
    },
    async upsert(id, payload, expiresInSec) {
      if (!isUnstored()) await records.upsert(id, payload, expiresInSec);
    },
    async destroy(id) {
      if (isSealed(id)) logins.take(id);
      else if (!isUnstored()) await records.destroy(id);
    },
    async consume(id) {
      if (!isSealed(id)) return records.consume(id);
      if (!logins.take(id)) throw new errors.InvalidGrant("already consumed");
    },
    async revokeByGrantId(grantId) {
      if (isSealed(grantId)) await logins.revokeGrant(grantId);
      else await records.revokeByGrantId(grantId);
    },
  };
}
