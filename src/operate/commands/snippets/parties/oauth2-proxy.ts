import { type Snippet, shortDuration } from "../values.ts";

/** As in docs/relying-parties/oauth2-proxy.md. `cookie_refresh` needs refresh tokens. */
export const oauth2Proxy: Snippet = ({ issuer, clientId, redirectUri, site, admissionMs, refreshTokens }) =>
  `provider = "oidc"
oidc_issuer_url = "${issuer}"
client_id = "${clientId}"
client_secret_file = "/etc/oauth2-proxy/secret"
# It does not start without a cookie_secret of 32 random bytes: OAUTH2_PROXY_COOKIE_SECRET in its environment.
redirect_url = "${redirectUri}"
scope = "openid email"
email_domains = ["visitor.invalid"]
code_challenge_method = "S256"
skip_provider_button = true
whitelist_domains = ["${new URL(site).host}", "${new URL(issuer).host}"]
cookie_csrf_per_request = true
cookie_csrf_expire = "1h"
cookie_expire = "${shortDuration(admissionMs)}"
${refreshTokens ? `cookie_refresh = "4m"\n` : ""}upstreams = ["http://127.0.0.1:8080"]
# What never queues.
skip_auth_routes = ["^/health$", "^/goodbye$", "^/webhooks/", "^/assets/"]
# 401 instead of a redirect, for scripts.
api_routes = ["^/api/"]
`;
