import type { Provider } from "oidc-provider";

/**
 * ID tokens of the token endpoint say which access token came with them (`at_hash`, OpenID Connect Core 3.1.3.6): relying
 * parties that check it may rely on it. oidc-provider hashes what it finds under that name when it signs, but puts it only
 * beside tokens of the authorization endpoint, which issues none here.
 */
export function bindAccessTokens({ IdToken }: Provider): void {
  const { issue } = IdToken.prototype;
  IdToken.prototype.issue = function issueBound(context) {
    // An opaque token is its own id.
    if (context.use === "idtoken") this.set("at_hash", this.ctx.oidc.entities.AccessToken?.jti);
    return issue.call(this, context);
  };
}
