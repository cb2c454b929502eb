/** What strangers, and visitors with the token of a public client, leave in the store by oidc-provider's endpoints (docs/security/store-keys.md). */
import { errors, type KoaContextWithOIDC, Provider } from "oidc-provider";
import { AddressBuckets } from "../../lib/address-buckets.ts";
import type { Clock } from "../../lib/clock.ts";
import { publicClientPushes } from "./pushed-requests.ts";

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
