/**
 * Where rooms are kept in several stores, codes, tokens, grants and sessions are in that of their visitor's room: so a login at one room
 * needs no other room's store. Their ids begin with the name of the store, if it has one, since an id is all that a record is asked for by.
 */
import { type Adapter, type AdapterFactory, type KoaContextWithOIDC, Provider } from "oidc-provider";
import { roomOfVisitor } from "../../room/index.ts";
import type { SealedLogins } from "../away/sealed-logins.ts";
import type { OidcParts } from "../parts.ts";
import { createAdapterFactory, type StoredRecords } from "./records.ts";

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
    const known = factories.get(store);
    if (known !== undefined) return known;
    const isKnown = parts.adapter("Session", store) !== null;
    const made = isKnown ? createAdapterFactory((model) => parts.adapter(model, store) as StoredRecords, logins) : null;
    // What a stranger writes is not remembered.
    if (made !== null) factories.set(store, made);
    return made;
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
        const known = byStore.get(store) ?? (factoryOf(store)?.(model) as Adapter | undefined);
        if (known !== undefined) byStore.set(store, known);
        return known;
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
