import { errors, type Provider } from "oidc-provider";
import { targetLengthMax } from "../../lib/request-bounds.ts";

/**
 * The store keeps a pushed request for a minute, and the visitor's ticket remembers it. So only authenticated clients
 * may push, or anybody could fill both; and a request is no longer than the address that it replaces may be.
 */
export function boundPushedRequests({ PushedAuthorizationRequest }: Provider): void {
  const { save } = PushedAuthorizationRequest.prototype;
  PushedAuthorizationRequest.prototype.save = async function saveBounded(ttl) {
    // oidc-provider trusts those of clients that have authenticated; its types are older than that.
    const { trusted } = this as { trusted?: unknown };
    if (trusted !== true) throw new errors.UnauthorizedClient("a public client may not push its requests");
    if (this.request.length > targetLengthMax) {
      throw new errors.InvalidRequest(`the request is longer than ${targetLengthMax} characters`);
    }
    return save.call(this, ttl);
  };
}
