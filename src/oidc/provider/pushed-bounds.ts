import { errors, type Provider } from "oidc-provider";
import { targetLengthMax } from "../../lib/request-bounds.ts";

/**
 * The store keeps a pushed request for a minute, and whoever visits with it has it remembered. So it is taken of clients alone that
 * prove who they are, or anybody could fill both; and one is no longer than the address may be that it stands for.
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
