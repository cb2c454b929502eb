/** What is set at relying parties whose text depends on the client's settings. A test compares each with its guide in docs/relying-parties. */

/** What a relying party has to know of an installation. */
export interface SnippetValues {
  /** A bare origin, as are all addresses of Usher below it. */
  readonly issuer: string;
  readonly clientId: string;
  readonly redirectUri: string;
  /** An origin: of the pages that are protected. */
  readonly site: string;
  /** At least one; the first is that of a login which names none. */
  readonly rooms: readonly string[];
  /** How long a visitor stays in before Usher is asked again: the room's `admission.duration`. */
  readonly admissionMs: number;
  /** Whether the client gets refresh tokens. */
  readonly refreshTokens: boolean;
}

/** Text of a relying party's own configuration, in which `#` begins a comment; the secret is only named in it. */
type Snippet = (values: SnippetValues) => string;

/** Terraform, as in docs/relying-parties/alb.md: a rule for each room after the first, which has all other paths. */
const alb: Snippet = ({ issuer, clientId, rooms: [, ...others] }) => {
  const authenticate = (name: string, priority: number, paths: string, more: readonly string[] = []) =>
    rule(name, priority, paths, [...loginAt(issuer, clientId), ...(more.length > 0 ? ["", ...more] : [])]);
  return [
    rule("never_queue", 10, '"/health", "/webhooks/*", "/assets/*", "/goodbye"', null),
    authenticate("api", 20, '"/api/*"', [`on_unauthenticated_request = "deny"`]),
    ...others.map((room, index) =>
      authenticate(nameOf(room), 30 + 10 * index, `"/${room}", "/${room}/*"`, [
        `session_cookie_name                 = "${cookieOf(room)}"`,
        `authentication_request_extra_params = { room = "${room}" }`,
      ]),
    ),
    authenticate("site", 30 + 10 * others.length, '"/*"'),
  ].join("\n");
};

function rule(name: string, priority: number, paths: string, login: readonly string[] | null): string {
  const authenticated =
    login === null
      ? ""
      : `  action {
    type = "authenticate-oidc"
    authenticate_oidc {
${login.map((line) => (line === "" ? "" : `      ${line}`)).join("\n")}
    }
  }
`;
  return `resource "aws_lb_listener_rule" "${name}" {
  listener_arn = aws_lb_listener.https.arn
  priority     = ${priority}
  condition {
    path_pattern { values = [${paths}] }
  }
${authenticated}  action {
    type             = "forward"
    target_group_arn = aws_lb_target_group.shop.arn
  }
}
`;
}

function loginAt(issuer: string, clientId: string): string[] {
  return [
    `issuer                 = "${issuer}"`,
    `authorization_endpoint = "${issuer}/authorize"`,
    `token_endpoint         = "${issuer}/token"`,
    `user_info_endpoint     = "${issuer}/userinfo"`,
    `client_id              = "${clientId}"`,
    "client_secret          = var.usher_client_secret",
  ];
}

/** Terraform's names begin with a letter, and each is there once. */
function nameOf(room: string): string {
  return /^[a-z]/.test(room) && !["never_queue", "api", "site"].includes(room) ? room : `room_${room}`;
}

/** Such as CheckoutAuth: a session of its own for each room. Every room has another; a hyphen that begins no word is `_`. */
function cookieOf(room: string): string {
  const name = room.replace(/-([a-z])/g, (_, first: string) => first.toUpperCase()).replace(/-/g, "_");
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}Auth`;
}

/** Terraform, as in docs/relying-parties/cognito.md. */
const cognito: Snippet = ({ issuer, clientId, site }) => `resource "aws_cognito_identity_provider" "usher" {
  user_pool_id  = aws_cognito_user_pool.shop.id
  provider_name = "Usher"
  provider_type = "OIDC"
  provider_details = {
    oidc_issuer               = "${issuer}"
    client_id                 = "${clientId}"
    client_secret             = var.usher_client_secret
    authorize_scopes          = "openid"
    attributes_request_method = "GET"
  }
  attribute_mapping = {
    username      = "sub"
    "custom:room" = "room"
  }
}

# In the pool:
resource "aws_cognito_user_pool" "shop" {
  name = "shop"
  schema {
    name                = "room"
    attribute_data_type = "String"
    mutable             = true
  }
}

# The app's client:
resource "aws_cognito_user_pool_client" "shop" {
  name                                 = "shop"
  user_pool_id                         = aws_cognito_user_pool.shop.id
  supported_identity_providers         = [aws_cognito_identity_provider.usher.provider_name]
  allowed_oauth_flows_user_pool_client = true
  allowed_oauth_flows                  = ["code"]
  allowed_oauth_scopes                 = ["openid"]
  callback_urls                        = ["${site}/callback"]
  logout_urls                          = ["${site}/goodbye"]
  generate_secret                      = true
  refresh_token_validity               = 60
  token_validity_units { refresh_token = "minutes" }
}
`;

/** Where the module takes answers unless it is told otherwise. */
const usualPath = "/oidc_callback";

/** NGINX Plus, as in docs/relying-parties/nginx.md. */
const nginx: Snippet = ({ issuer, clientId, redirectUri, site, admissionMs }) => {
  const path = new URL(redirectUri).pathname;
  return `# NGINX Plus. Open source nginx: docs/forward-auth.md#nginx
resolver 10.0.0.2;

oidc_provider usher {
  issuer          ${issuer};
  client_id       ${clientId};
  client_secret   "the client's secret";
  session_timeout ${shortDuration(admissionMs)};${path === usualPath ? "" : `\n  redirect_uri    ${path};`}
}

server {
  listen ${portOf(site)}${site.startsWith("https:") ? " ssl" : ""};
  server_name ${new URL(site).hostname};
  auth_oidc usher;

  location / {
    proxy_set_header X-Usher-Sub $oidc_claim_sub;
    proxy_pass http://shop;
  }

  # What never queues.
  location ~ ^/(health|webhooks|assets)(/|$) {
    auth_oidc off;
    proxy_set_header X-Usher-Sub "";
    proxy_pass http://shop;
  }
}
`;
};

/** mod_auth_openidc, as in docs/relying-parties/apache.md. It takes no session shorter than 15 seconds. */
const apache: Snippet = ({ issuer, clientId, redirectUri, site, admissionMs }) => {
  const { hostname: host, protocol } = new URL(site);
  const tls = protocol === "https:" ? tlsOf(host) : "";
  const port = portOf(site);
  return `# a2enmod ${tls === "" ? "" : "ssl "}auth_openidc
${["80", "443"].includes(port) ? "" : `Listen ${port}\n`}<VirtualHost *:${port}>
  ServerName ${host}
${tls}
  OIDCProviderMetadataURL ${issuer}/.well-known/openid-configuration
  OIDCClientID ${clientId}
  OIDCClientSecret "the client's secret"
  # An address that nothing else uses. Apache answers it itself.
  OIDCRedirectURI ${redirectUri}
  OIDCCryptoPassphrase "exec:/usr/bin/cat /etc/apache2/oidc-passphrase"
  OIDCPKCEMethod S256
  OIDCRemoteUserClaim sub

  # How long Apache remembers a login that it has begun. It costs the server nothing: it is in the visitor's cookie.
  OIDCStateTimeout 3600
  # Where a callback that came too late starts again, instead of an error page.
  OIDCDefaultURL ${site}/
  # Forget the oldest login begun when a visitor opens an eighth tab. The default is an error 503.
  OIDCStateMaxNumberOfCookies 7 true
  # How long a visitor stays in before Usher is asked again: the room's admission.duration, in seconds.
  OIDCSessionMaxDuration ${Math.max(15, wholeSeconds(admissionMs))}

  <Location />
    <IfDefine !WaitingRoomOff>
      AuthType openid-connect
      Require valid-user
    </IfDefine>
    <IfDefine WaitingRoomOff>
      Require all granted
    </IfDefine>
  </Location>

  # What never queues.
  <LocationMatch "^/(health|webhooks|assets|goodbye|robots\\.txt|\\.well-known/acme-challenge)(/|$)">
    AuthType none
    Require all granted
  </LocationMatch>

  DocumentRoot /var/www/shop
</VirtualHost>
`;
};

function tlsOf(host: string): string {
  return `  SSLEngine on
  SSLCertificateFile /etc/ssl/${host}.crt
  SSLCertificateKeyFile /etc/ssl/${host}.key
`;
}

/** As in docs/relying-parties/oauth2-proxy.md. `cookie_refresh` needs refresh tokens. */
const oauth2Proxy: Snippet = ({ issuer, clientId, redirectUri, site, admissionMs, refreshTokens }) =>
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

/** By the name of the guide, which is the profile of the client, too; open source nginx is one that asks for each request. */
export const WRITTEN = { alb, cognito, "nginx-plus": nginx, apache, "oauth2-proxy": oauth2Proxy } satisfies Record<
  string,
  Snippet
>;

/** Those with a text of their own. */
export type WrittenParty = keyof typeof WRITTEN;

/** As nginx and Go read it: in minutes, or in seconds where it is no whole number of them. */
function shortDuration(durationMs: number): string {
  const seconds = wholeSeconds(durationMs);
  return seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`;
}

/** Never longer than the duration, and at least one. */
export function wholeSeconds(durationMs: number): number {
  return Math.max(1, Math.floor(durationMs / 1_000));
}

/** On which the site's server listens. */
function portOf(site: string): string {
  const { port, protocol } = new URL(site);
  return port || (protocol === "https:" ? "443" : "80");
}
