/**
 * What oidc-provider keeps: codes, tokens, grants and sessions. Under which names they are in the store, how many a visitor may have, and in which
 * store they are. Where rooms are kept in several, they are in that of their visitor's room, so a login at one room needs no other room's
 * store; their ids begin with the name of the store, if it has one, since an id is all that a record is looked up by.
 *
 * Logins that no store knows (`rooms[].when_away: let_in`): all that a store would keep of a code or an access token is in the token itself,
 * encrypted with a key that all processes of the issuer have. A process knows which of them it has seen used; others do not.
 */

import { AsyncLocalStorage } from "node:async_hooks";
import { hash } from "node:crypto";
import type { Context, Middleware } from "koa";
import {
  type Adapter,
  type AdapterFactory,
  type AdapterPayload,
  errors,
  type Grant,
  type KoaContextWithOIDC,
  Provider,
} from "oidc-provider";
import { AddressBuckets } from "../../lib/address-buckets.ts";
import type { Clock } from "../../lib/clock-and-random.ts";
import { AlreadyConsumedError } from "../../lib/errors.ts";
import { createLruCache } from "../../lib/lru-cache.ts";
import { type AwayAdmission, isInterruption, roomOfVisitor } from "../../room/index.ts";
import type { OidcParts, StoredRecords } from "../parts.ts";
import { createSealing } from "../sealing.ts";
import { publicClientPushes } from "./pushed-requests.ts";

/**
 * Codes, tokens and sessions are known by their ids, so the store has them under the hash of it alone: who reads the store can use
 * none (RFC 9700 §4.9.3). They have 256 random bits, so a plain hash does.
 */
function nameOf(id: string): string {
  return hash("sha256", id, "base64url");
}

/** The store's records as oidc-provider wants them, and those of logins that no store knows. */
export function createAdapterFactory(
  adapterOf: (model: string) => StoredRecords,
  logins: SealedLogins,
): AdapterFactory {
  return (model): Adapter => {
    const records = adapterOf(model);
    const stored: Adapter = {
      upsert: (id, { jti, ...rest }, expiresInSec) => {
        const payload = jti === undefined || jti === id ? rest : { ...rest, jti };
        return orTemporarilyUnavailable(records.upsert(nameOf(id), payload, expiresInSec));
      },
      async find(id) {
        const found = await orTemporarilyUnavailable(records.find(nameOf(id)));
        return found && { jti: id, ...found };
      },
      // Of interactions, and of tokens that end with a session: there are neither.
      findByUid: async () => undefined,
      // Of the device flow alone, which there is not.
      findByUserCode: async () => undefined,
      destroy: (id) => orTemporarilyUnavailable(records.destroy(nameOf(id))),
      // Each use of a code or token asks for its grant, so that what a grant has issued falls with the record of the grant, at once and whatever is saved later.
      revokeByGrantId: async () => {},
      consume: (id) => orTemporarilyUnavailable(records.consume(nameOf(id))),
    };
    return withSealed(model, stored, logins);
  };
}

/**
 * A store that is away, or a room that recovers, as relying parties understand it: HTTP 503 with an error code that says to
 * try again (RFC 6749 4.1.2.1 names it for the authorization endpoint), instead of a fault of the server. So is a second
 * redemption, which is `invalid_grant`.
 */
export async function orTemporarilyUnavailable<T>(operation: Promise<T>): Promise<T> {
  try {
    return await operation;
  } catch (error) {
    if (error instanceof AlreadyConsumedError) throw new errors.InvalidGrant("already consumed");
    if (!isInterruption(error)) throw error;
    throw Object.assign(new errors.TemporarilyUnavailable(error.message), { status: 503, statusCode: 503 });
  }
}

/** Neither names of stores nor what oidc-provider makes ids of has it; addresses, cookies and bearer tokens may. */
const separator = "~";

export type RecordStores = ReturnType<typeof createRecordStores>;

type RecordStoresParts = Pick<OidcParts, "directory" | "clients" | "verdicts" | "adapter">;

export function createRecordStores(parts: RecordStoresParts, logins: SealedLogins) {
  const { directory, clients, verdicts } = parts;
  const factories = new Map<string | null, AdapterFactory | null>();

  const ofRoom = (id: string | null | undefined): string | null => directory.get(id ?? "")?.store ?? null;
  const ofVisitor = (sub: string | undefined) => ofRoom(sub === undefined ? null : roomOfVisitor(sub));

  /** That of all of the client's rooms; null, too, where they are in several. */
  function ofClient(clientId: string | undefined): string | null {
    const [store = null, ...others] = new Set(clients.get(clientId ?? "")?.rooms.map(ofRoom));
    return others.length === 0 ? store : null;
  }

  /** Of the request that is being answered, as far as oidc-provider knows it yet. */
  function current(): KoaContextWithOIDC | undefined {
    return Provider.ctx as KoaContextWithOIDC | undefined;
  }

  /**
   * Whether a session is one from another room than that of the login at hand, which would replace it. Its store is not asked: that room's
   * may be away.
   */
  function isFromElsewhere(store: string | null): boolean {
    const ctx = current();
    if (ctx?.oidc?.route !== "authorization") return false;
    const verdict = verdicts.get(ctx.req);
    // Nobody is logged in by such a request.
    if (typeof verdict !== "object") return store !== null;
    return ofRoom(verdict.room) !== store;
  }

  function factoryOf(store: string | null): AdapterFactory | null {
    const cached = factories.get(store);
    if (cached !== undefined) return cached;
    const hasStore = parts.adapter("Session", store) !== null;
    const factory = hasStore
      ? createAdapterFactory((model) => parts.adapter(model, store) as StoredRecords, logins)
      : null;
    // What a stranger writes is not remembered.
    if (factory !== null) factories.set(store, factory);
    return factory;
  }

  return {
    ofRoom,

    /** The id of a record in that store. */
    idIn(store: string | null, id: string): string {
      const [, rest = id] = split(id);
      return store === null ? rest : `${store}${separator}${rest}`;
    },

    /** See `Adapter`. */
    adapterFactory: ((model): Adapter => {
      const main = factoryOf(null)?.(model) as Adapter;
      const byStore = new Map<string | null, Adapter>([[null, main]]);
      const adapterOf = (store: string | null): Adapter | undefined => {
        const cached = byStore.get(store) ?? (factoryOf(store)?.(model) as Adapter | undefined);
        if (cached !== undefined) byStore.set(store, cached);
        return cached;
      };
      // These are known by a hash of what a client has signed, so its rooms say where.
      const storeOf = (id: string) =>
        model === "ReplayDetection" ? ofClient(current()?.oidc.client?.clientId) : split(id)[0];
      return {
        ...main,
        async find(id) {
          const store = storeOf(id);
          if (model === "Session" && isFromElsewhere(store)) return undefined;
          return adapterOf(store)?.find(id);
        },
        upsert: async (id, payload, expiresInSec) => adapterOf(storeOf(id))?.upsert(id, payload, expiresInSec),
        consume: async (id) => adapterOf(storeOf(id))?.consume(id),
        destroy: async (id) => adapterOf(storeOf(id))?.destroy(id),
      };
    }) satisfies AdapterFactory,

    /** From now on what the provider saves has ids that say where it is. */
    nameRecords({ AuthorizationCode, AccessToken, RefreshToken, Grant, PushedAuthorizationRequest }: Provider): void {
      for (const { prototype } of [AuthorizationCode, AccessToken, RefreshToken, Grant]) {
        nameRecord(prototype, ({ accountId }) => ofVisitor(accountId));
      }
      // Of its visitor nothing is known yet.
      nameRecord(PushedAuthorizationRequest.prototype, () => ofClient(current()?.oidc.client?.clientId));
    },
  };
}

/** What a model of oidc-provider can do that its types do not say. */
interface RecordModel {
  accountId?: string;
  generateTokenId(): string;
}

function nameRecord(prototype: object, storeOf: (record: RecordModel) => string | null): void {
  const model = prototype as RecordModel;
  const { generateTokenId } = model;
  model.generateTokenId = function inStore() {
    const store = storeOf(this);
    const id = generateTokenId.call(this);
    return store === null ? id : `${store}${separator}${id}`;
  };
}

function split(id: string): readonly [store: string | null, id: string] {
  const at = id.indexOf(separator);
  return at === -1 ? [null, id] : [id.slice(0, at), id.slice(at + 1)];
}

/** Records of one visitor at a public client: a browser has a few at each login and each refresh, and a proof for each request. */
const rate = { perMinute: 60, burst: 120 };
/** Visitors whose records are counted. */
const visitorsMax = 100_000;

/** What oidc-provider's models share, which its types do not say. */
interface Model {
  readonly accountId?: string;
  /** Of sessions. */
  touched?: boolean;
  save(ttl: number): Promise<unknown>;
}

/** Bounds what strangers, and visitors with the token of a public client, leave in the store (docs/security/store-keys.md). */
export function boundRecords({ Session, AccessToken, ReplayDetection }: Provider, clock: Clock): void {
  const visitors = new AddressBuckets(clock, visitorsMax).of("records", rate);

  /** @throws Error where the visitor has as many records as one may have */
  function count(sub: string): void {
    if (visitors.take(sub) === 0) return;
    const error = new errors.TemporarilyUnavailable("this visitor makes too many requests: try again in a minute");
    throw Object.assign(error, { status: 429, statusCode: 429 });
  }

  // A session that nobody has logged in to holds nothing that anybody comes back for.
  before(Session.prototype, ({ accountId }) => accountId !== undefined);

  before(AccessToken.prototype, ({ accountId }) => {
    if (accountId !== undefined && isPublic(Provider.ctx as KoaContextWithOIDC | undefined)) count(accountId);
    return true;
  });

  // The proof of a key is remembered before it is known whether the request is good.
  before(ReplayDetection.prototype, () => {
    const ctx = Provider.ctx as KoaContextWithOIDC | undefined;
    if (!isPublic(ctx)) return true;
    if (ctx?.oidc.route === "pushed_authorization_request") throw publicClientPushes();
    const { accountId } = ctx?.oidc.entities.AccessToken ?? {};
    if (accountId !== undefined) count(accountId);
    return true;
  });
}

/** Whether the request shows no secret and no key of a client: its tokens may be in any browser. */
function isPublic(ctx: KoaContextWithOIDC | undefined): boolean {
  return ctx?.oidc?.route === "userinfo" || ctx?.oidc?.client?.clientAuthMethod === "none";
}

/** Asks before each record is saved whether it is to be. */
function before(prototype: object, isSaved: (record: Model) => boolean): void {
  const model = prototype as Model;
  const { save } = model;
  model.save = async function saveBounded(ttl) {
    if (isSaved(this)) return save.call(this, ttl);
    // Or oidc-provider tries again after its answer.
    this.touched = false;
    return undefined;
  };
}

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
      if (isSealed(id) && model === "Grant") await logins.revokeGrant(id);
      else if (isSealed(id)) logins.take(id);
      else if (!isUnstored()) await records.destroy(id);
    },
    async consume(id) {
      if (!isSealed(id)) return records.consume(id);
      if (!logins.take(id)) throw new errors.InvalidGrant("already consumed");
    },
  };
}
