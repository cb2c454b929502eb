/** What is entered at a relying party, and the kinds of them. */
import type { Localized } from "../frame/speech.ts";

/** Kinds of relying parties whose defaults differ: those with a guide of their own, and all others. */
export const profiles = {
  generic: { en: "Anything else that speaks OpenID Connect", de: "Alles andere, was OpenID Connect spricht" },
  alb: { en: "AWS Application Load Balancer", de: "AWS Application Load Balancer" },
  cognito: { en: "Amazon Cognito user pool", de: "Amazon-Cognito-User-Pool" },
  apache: { en: "Apache with mod_auth_openidc", de: "Apache mit mod_auth_openidc" },
  "oauth2-proxy": { en: "oauth2-proxy", de: "oauth2-proxy" },
  envoy: { en: "Envoy's oauth2 filter", de: "Envoys oauth2-Filter" },
  nginx: { en: "NGINX Plus", de: "NGINX Plus" },
  wordpress: { en: "WordPress with openid-connect-generic", de: "WordPress mit openid-connect-generic" },
  keycloak: { en: "Keycloak as a broker", de: "Keycloak als Broker" },
  auth0: { en: "Auth0 enterprise connection", de: "Auth0-Enterprise-Verbindung" },
  "cloudflare-access": { en: "Cloudflare Access", de: "Cloudflare Access" },
} as const satisfies Readonly<Record<string, Localized>>;

/** Where a relying party finds Usher: what every guide asks for. */
export function endpointsOf(issuer: string): readonly (readonly [name: string, address: string])[] {
  return [
    ["issuer", issuer],
    ["discovery", `${issuer}/.well-known/openid-configuration`],
    ["authorization_endpoint", `${issuer}/authorize`],
    ["token_endpoint", `${issuer}/token`],
    ["userinfo_endpoint", `${issuer}/userinfo`],
    ["jwks_uri", `${issuer}/.well-known/jwks.json`],
  ];
}

/** The command that prints the settings of the guide; null where the guide is one of many. */
export function snippetCommand(id: string, profile: string): string | null {
  if (profile === "generic" || !Object.keys(profiles).includes(profile)) return null;
  // `nginx` is the open source one, which has no client.
  return `usher snippet ${profile === "nginx" ? "nginx-plus" : profile} --client ${shellWord(id)}`;
}

/** One word for a shell, whatever is in it. */
function shellWord(text: string): string {
  return /^[\w.][\w.-]*$/.test(text) ? text : `'${text.replace(/'/g, "'\\''")}'`;
}
