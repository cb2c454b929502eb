/** What a store keeps for oidc-provider; part of the contract in room-store.ts. */

/** Model of the links that work once (registry/one-time-links.ts), which is none of oidc-provider's. */
export const oneTimeLinkModel = "OneTimeLink";

/** Models whose records belong to a grant and fall with it. Sessions and interactions outlive it. */
export const grantable: ReadonlySet<string> = new Set(["AccessToken", "AuthorizationCode", "RefreshToken"]);

/** Models whose records fall with the server's run: what was used just before a rollback must not be usable again (rule 8). */
export const boundToRun: ReadonlySet<string> = new Set(["AuthorizationCode", oneTimeLinkModel]);

/** One record of oidc-provider, as its adapter interface defines it. */
export interface OidcRecord {
  [key: string]: unknown;
  grantId?: string;
  uid?: string;
  consumed?: unknown;
  consumed_by?: unknown;
}

/**
 * oidc-provider's adapter, without device codes. `consume` is atomic: of any number of calls at once one succeeds. A record of a model
 * of `boundToRun` is void when another server run answers than the one it was written under.
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
