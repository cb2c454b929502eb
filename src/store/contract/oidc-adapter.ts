/** What a store keeps for oidc-provider. Types only; part of the contract in room-store.ts. */

/** One record of oidc-provider, as its adapter interface defines it. */
export interface OidcRecord {
  [key: string]: unknown;
  grantId?: string;
  uid?: string;
  consumed?: unknown;
  consumed_by?: unknown;
}

/**
 * oidc-provider's adapter, without device codes. `consume` is atomic: of any number of calls at once one succeeds. An `AuthorizationCode`
 * or `OneTimeLink` (ours) is void when another server run answers than the one it was written under: a rollback may have forgotten that it was
 * used (rule 8).
 */
export interface OidcAdapter {
  upsert(id: string, payload: OidcRecord, expiresInSec: number): Promise<void>;
  find(id: string): Promise<OidcRecord | undefined>;
  findByUid(uid: string): Promise<OidcRecord | undefined>;
  /** @param by is found as `consumed_by` from then on @throws AlreadyConsumedError for every caller but the first, and when the record is gone. */
  consume(id: string, by?: string): Promise<void>;
  destroy(id: string): Promise<void>;
  revokeByGrantId(grantId: string): Promise<void>;
}
