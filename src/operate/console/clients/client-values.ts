/** What is entered of a client, and what the admin API is sent of it. */
import type { AdminAnswers } from "../../client/index.ts";
import { answerOf, choiceOf, itemsOf, textOf } from "../parts/form/members.ts";

export type Client = AdminAnswers["Client"];

/** Kinds of relying parties, whose defaults differ: those with a guide of their own. */
export const profiles = [
  ...(["generic", "alb", "cognito", "apache", "oauth2-proxy", "envoy", "nginx"] as const),
  ...(["wordpress", "keycloak", "auth0", "cloudflare-access"] as const),
] as const;
export const authMethods = ["client_secret_basic", "client_secret_post", "private_key_jwt", "none"] as const;
export const algorithms = ["RS256", "PS256", "ES256"] as const;
export const rememberedLogins = ["one", "many"] as const;

const texts = [
  ...(["client_id", "profile", "token_endpoint_auth_method", "login_timeout", "initiate_login_uri"] as const),
  ...(["backchannel_logout_uri", "id_token_signed_response_alg", "remembered_logins", "jwks_uri"] as const),
] as const;
const lists = ["redirect_uris", "rooms", "post_logout_redirect_uris", "target_link_uris"] as const;
const answers = ["require_pkce", "refresh_tokens"] as const;

export type ClientValues = Readonly<
  Record<(typeof texts)[number] | (typeof answers)[number], string> & Record<(typeof lists)[number], readonly string[]>
>;
export const clientPaths: readonly string[] = [...texts, ...lists, ...answers, "room"];

/** @param document as it was given; empty for a new client */
export function valuesOf(document: Readonly<Record<string, unknown>>): ClientValues {
  const text = (name: string) => (typeof document[name] === "string" ? document[name] : "");
  const answer = (name: string) => (document[name] === true ? "yes" : document[name] === false ? "no" : "");
  const items = (name: string) => (Array.isArray(document[name]) ? document[name].map(String) : []);
  return {
    client_id: text("client_id"),
    profile: text("profile") || "generic",
    token_endpoint_auth_method: text("token_endpoint_auth_method"),
    login_timeout: text("login_timeout"),
    initiate_login_uri: text("initiate_login_uri"),
    backchannel_logout_uri: text("backchannel_logout_uri"),
    id_token_signed_response_alg: text("id_token_signed_response_alg"),
    remembered_logins: text("remembered_logins"),
    jwks_uri: text("jwks_uri"),
    redirect_uris: items("redirect_uris"),
    rooms: text("room") === "" ? items("rooms") : [text("room")],
    post_logout_redirect_uris: items("post_logout_redirect_uris"),
    target_link_uris: items("target_link_uris"),
    require_pkce: answer("require_pkce"),
    refresh_tokens: answer("refresh_tokens"),
  };
}

/** A client as the API takes it. A member is undefined where nothing was entered. */
export function membersOf(values: ClientValues) {
  return {
    client_id: textOf(values.client_id),
    profile: choiceOf(profiles, values.profile),
    token_endpoint_auth_method: choiceOf(authMethods, values.token_endpoint_auth_method),
    login_timeout: textOf(values.login_timeout),
    initiate_login_uri: textOf(values.initiate_login_uri),
    backchannel_logout_uri: textOf(values.backchannel_logout_uri),
    id_token_signed_response_alg: choiceOf(algorithms, values.id_token_signed_response_alg),
    remembered_logins: choiceOf(rememberedLogins, values.remembered_logins),
    jwks_uri: textOf(values.jwks_uri),
    rooms: itemsOf(values.rooms),
    post_logout_redirect_uris: itemsOf(values.post_logout_redirect_uris),
    target_link_uris: itemsOf(values.target_link_uris),
    require_pkce: answerOf(values.require_pkce),
    refresh_tokens: answerOf(values.refresh_tokens),
    // It is always sent: whoever leaves it out is told so at its field.
    redirect_uris: itemsOf(values.redirect_uris) ?? [],
  };
}

/** Where a relying party finds Usher: what every guide asks to be entered. */
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
  if (profile === "generic" || choiceOf(profiles, profile) === undefined) return null;
  return `usher snippet ${profile} --client ${shellWord(id)}`;
}

/** One word for a shell, whatever is in it. */
function shellWord(text: string): string {
  return /^[\w.][\w.-]*$/.test(text) ? text : `'${text.replace(/'/g, "'\\''")}'`;
}
