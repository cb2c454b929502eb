/**
 * What oidc-provider keeps: codes, tokens, grants and sessions. Under which names they are in the store, how many a visitor may have, and in which
 * store they are. Where rooms are kept in several, they are in that of their visitor's room, so a login at one room needs no other room's
 * store; their ids begin with the name of the store, if it has one, since an id is all that a record is looked up by.
 */
import { hash } from "node:crypto";
import { type Adapter, type AdapterFactory, errors, type KoaContextWithOIDC, Provider } from "oidc-provider";
import { AddressBuckets } from "../../lib/address-buckets.ts";
import type { Clock } from "../../lib/clock.ts";
import { AlreadyConsumedError } from "../../lib/errors.ts";
import { isInterruption, roomOfVisitor } from "../../room/index.ts";
import type { OidcParts } from "../parts.ts";
import { type SealedLogins, withSealed } from "./away-logins.ts";
import { publicClientPushes } from "./pushed-requests.ts";

/**
 * Codes, tokens and sessions are known by their ids, so the store has them under the hash of it alone: who reads the store can use
 * none (RFC 9700 §4.9.3). They have 256 random bits, so a plain hash does.
 */
function nameOf(id: string): string {
  return hash("sha256", id, "base64url");
}

/** Of one model, in one store. */
export type StoredRecords = Omit<Adapter, "findByUserCode">;

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
      findByUid: (uid) => orTemporarilyUnavailable(records.findByUid(uid)),
      // Of the device flow alone, which there is not.
      findByUserCode: async () => undefined,
      destroy: (id) => orTemporarilyUnavailable(records.destroy(nameOf(id))),
      revokeByGrantId: (grantId) => orTemporarilyUnavailable(records.revokeByGrantId(grantId)),
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
        revokeByGrantId: async (grantId) => adapterOf(split(grantId)[0])?.revokeByGrantId(grantId),
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
