import type { LocalizedTexts } from "../frame/speech.ts";

export const texts = {
  what: {
    en: "A client is a site that sends its visitors to Usher: a load balancer, a proxy, a shop.",
    de: "Ein Client ist eine Website, die ihre Besucher zu Usher schickt: ein Load-Balancer, ein Proxy, ein Shop.",
  },
  none: {
    en: "There is no client yet. Make one for each site that sends its visitors here.",
    de: "Es gibt noch keinen Client. Legen Sie für jede Website einen an, die ihre Besucher hierher schickt.",
  },
  client: { en: "Client", de: "Client" },
  idHint: {
    en: "A name for it, such as box-office. Left empty, Usher makes one.",
    de: "Ein Name, etwa box-office. Ohne Angabe wählt Usher einen.",
  },
  profile: { en: "Kind of site", de: "Art der Website" },
  profileHint: {
    en: "It decides what is usual for the settings below.",
    de: "Sie bestimmt, was bei den Einstellungen unten üblich ist.",
  },
  profiles: {
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
  },
  statuses: {
    active: { en: "in force", de: "in Kraft" },
    shadowed: { en: "not in force", de: "nicht in Kraft" },
    unusable: { en: "unusable", de: "unbrauchbar" },
  },
  shadowedReason: {
    en: "The configuration file has a client of this id, which is in force.",
    de: "Die Konfigurationsdatei hat einen Client mit diesem Namen; der ist in Kraft.",
  },
  newClient: { en: "New client", de: "Neuer Client" },
  create: { en: "Make the client", de: "Client anlegen" },
  missing: {
    en: "There is no such client. Somebody may have deleted it.",
    de: "Diesen Client gibt es nicht. Vielleicht hat ihn jemand gelöscht.",
  },
  redirectUris: { en: "Redirect URIs", de: "Redirect-URIs" },
  redirectUrisHint: {
    en: "Where the site takes answers, each on its own line. The guide of the site names it.",
    de: "Wo die Website Antworten annimmt, je eine pro Zeile. Die Anleitung zur Website nennt sie.",
  },
  roomsHint: { en: "In which rooms its visitors wait.", de: "In welchen Räumen ihre Besucher warten." },
  initiateLoginUri: { en: "Where the site starts a login", de: "Wo die Website eine Anmeldung beginnt" },
  initiateLoginUriHint: {
    en: "Usher sends visitors there who come from elsewhere, or whose login has become too old.",
    de: "Dorthin schickt Usher Besucher, die von anderswo kommen oder deren Anmeldung zu alt wurde.",
  },
  authMethod: { en: "Authentication at the token endpoint", de: "Authentifizierung am Token-Endpunkt" },
  authMethodHint: {
    en: "private_key_jwt takes a key of the site's own, none makes a public client: neither has a secret.",
    de: "private_key_jwt verlangt einen eigenen Schlüssel der Website, none macht einen öffentlichen Client: Beide haben kein Geheimnis.",
  },
  jwksUri: { en: "Where the site's own keys are", de: "Wo die eigenen Schlüssel der Website stehen" },
  jwksUriHint: { en: "For private_key_jwt.", de: "Für private_key_jwt." },
  targetLinkUris: { en: "Pages that a link may lead to", de: "Seiten, zu denen ein Link führen darf" },
  targetLinkUrisHint: {
    en: "Each on its own line; a * at the end stands for whatever follows.",
    de: "Je eine pro Zeile; ein * am Ende steht für alles, was folgt.",
  },
  postLogoutRedirectUris: { en: "Where visitors go after signing out", de: "Wohin Besucher nach dem Abmelden kommen" },
  backchannelLogoutUri: { en: "Where the end of a visit is told", de: "Wo das Ende eines Besuchs gemeldet wird" },
  loginTimeout: { en: "How long the site remembers a login", de: "Wie lange die Website sich eine Anmeldung merkt" },
  loginTimeoutHint: { en: "A time such as 5m, from 1s to 1d.", de: "Eine Zeit wie 5m, von 1s bis 1d." },
  rememberedLogins: {
    en: "Logins that it remembers in one browser",
    de: "Anmeldungen, die sie sich in einem Browser merkt",
  },
  requirePkce: { en: "PKCE is required", de: "PKCE ist Pflicht" },
  refreshTokens: { en: "Refresh tokens", de: "Refresh-Tokens" },
  alg: { en: "ID tokens are signed by", de: "ID-Tokens werden signiert mit" },
  secret: { en: "The secret of the client", de: "Das Geheimnis des Clients" },
  secretNote: {
    en: "Enter it at the site, as client_secret.",
    de: "Tragen Sie es auf der Website als client_secret ein.",
  },
  enter: {
    title: { en: "What to enter at the site", de: "Was auf der Website einzutragen ist" },
    secret: {
      en: "shown when it was made; if it was lost, make a new one",
      de: "wurde beim Erstellen gezeigt; ist es verloren, erstellen Sie ein neues",
    },
    noSecret: { en: "none", de: "keines" },
    snippet: {
      en: "This command prints the settings for the site, with these values in them:",
      de: "Dieser Befehl gibt die Einstellungen für die Website aus, mit diesen Werten darin:",
    },
    command: { en: "The command", de: "Der Befehl" },
  },
  deleteWarning: {
    en: "Its codes and tokens are void at once, and its visitors get an error page. Their places in line and their admissions stay.",
    de: "Seine Codes und Tokens sind sofort ungültig, und seine Besucher bekommen eine Fehlerseite. Ihre Plätze in der Schlange und ihr Einlass bleiben.",
  },
} satisfies LocalizedTexts;
