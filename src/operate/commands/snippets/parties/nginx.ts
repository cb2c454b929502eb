import { portOf, type Snippet, shortDuration } from "../values.ts";

/** Where the module takes answers unless it is told otherwise. */
const usualPath = "/oidc_callback";

/** NGINX Plus, as in docs/relying-parties/nginx.md. */
export const nginx: Snippet = ({ issuer, clientId, redirectUri, site, admissionMs }) => {
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
