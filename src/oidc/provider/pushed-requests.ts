import { errors, type Provider } from "oidc-provider";
import { createLruCache } from "../../lib/lru-cache.ts";
import { targetLengthMax } from "../../lib/request.ts";

/** The parameters of an authorization request that a client has pushed ahead (RFC 9126). */
export type PushedParameters = Readonly<Record<string, string>>;

/** What `request_uri` begins with (RFC 9126 §2.2, as oidc-provider makes them). */
const urn = "urn:ietf:params:oauth:request_uri:";
/** Of those that visitors wait with: a few hundred bytes each. */
const rememberedMax = 10_000;

/** oidc-provider takes a pushed request for a minute. Some of it passes before the visitor comes with it. */
export const pushedRequestMs = 50_000;

/** Whether a query may name a pushed request: hardly any does. */
export const mayBePushed = (query: string): boolean => query.includes("request_uri=");

/**
 * Looks up what a query's `request_uri` stands for: undefined for a query without a pushed request, null for one that has
 * expired or cannot be looked up now. The store is queried at a visitor's first visit with it only.
 *
 * @param find asks the provider; null for what it would not take
 */
export function createPushedRequests(find: (id: string) => Promise<PushedParameters | null>) {
  const cache = createLruCache<string, PushedParameters>(rememberedMax);
  return async (query: string): Promise<PushedParameters | null | undefined> => {
    const uri = mayBePushed(query) ? new URLSearchParams(query).get("request_uri") : null;
    if (!uri?.startsWith(urn)) return undefined;
    const found = cache.get(uri) ?? (await find(uri.slice(urn.length)));
    if (found !== null) cache.set(uri, found);
    return found;
  };
}

/**
 * The store keeps a pushed request for a minute, and the visitor's ticket remembers it. So only authenticated clients
 * may push, or anybody could fill both; and a request is no longer than the address that it replaces may be.
 */
export function boundPushedRequests({ PushedAuthorizationRequest }: Provider): void {
  const { save } = PushedAuthorizationRequest.prototype;
  PushedAuthorizationRequest.prototype.save = async function saveBounded(ttl) {
    // oidc-provider trusts those of clients that have authenticated; its types are older than that.
    const { trusted } = this as { trusted?: unknown };
    if (trusted !== true) throw publicClientPushes();
    if (this.request.length > targetLengthMax) {
      throw new errors.InvalidRequest(`the request is longer than ${targetLengthMax} characters`);
    }
    return save.call(this, ttl);
  };
}

export function publicClientPushes(): Error {
  return new errors.UnauthorizedClient("a public client may not push its requests");
}
