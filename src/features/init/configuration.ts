import { type ForwardAuthProxy, isForwardAuthProxy } from "../snippets/forward-auth.ts";
import { guideOf, type Party, profileOf } from "../snippets/render.ts";

/** What a first configuration is made of. The configuration's own check follows. */
export interface Answers {
  readonly issuer: string;
  readonly party: StartParty;
  /** An origin. */
  readonly site: string;
  /** Empty for a proxy that asks for each request. */
  readonly redirectUri: string;
  readonly room: string;
  readonly ratePerMinute: number;
  readonly store: "memory" | "redis";
  readonly adminPort: number;
  /** Whether Usher runs in a container, to which 127.0.0.1 is the container itself. */
  readonly isInContainer: boolean;
}

/** What a first configuration has to say for a relying party whose snippet is used as it is. */
interface PartyStart {
  /** As the question has it. */
  readonly about: string;
  /** Of the file with the snippet. */
  readonly fileName: string;
  /** Where it takes answers at the site; null where that is at another host, which only the operator knows, or where it takes none. */
  readonly callbackPath: string | null;
  /** Keys of the client that go with times and switches of the snippet. */
  readonly settings: (site: string) => Readonly<Record<string, unknown>>;
}

const startPage = (site: string) => ({ initiate_login_uri: `${site}/` });
const none = () => ({});

/** Proxies that ask for each request first. A test compares the others with the clients of the guides. */
export const PARTY_STARTS = {
  nginx: { about: "nginx, open source", fileName: "nginx.conf", callbackPath: null, settings: none },
  "nginx-plus": {
    about: "NGINX Plus",
    fileName: "nginx.conf",
    callbackPath: "/oidc_callback",
    settings: startPage,
  },
  traefik: { about: "Traefik 3", fileName: "traefik.yaml", callbackPath: null, settings: none },
  caddy: { about: "Caddy", fileName: "Caddyfile", callbackPath: null, settings: none },
  envoy: {
    about: "Envoy",
    fileName: "envoy.yaml",
    callbackPath: "/oauth2/callback",
    settings: (site) => ({ ...startPage(site), login_timeout: "55m", refresh_tokens: true }),
  },
  apache: {
    about: "Apache with mod_auth_openidc",
    fileName: "apache.conf",
    callbackPath: "/oidc/callback",
    settings: (site) => ({ ...startPage(site), login_timeout: "55m" }),
  },
  alb: {
    about: "AWS load balancer, as Terraform",
    fileName: "alb.tf",
    callbackPath: "/oauth2/idpresponse",
    settings: startPage,
  },
  cognito: {
    about: "Amazon Cognito user pool, as Terraform",
    fileName: "cognito.tf",
    callbackPath: null,
    settings: startPage,
  },
  wordpress: {
    about: "WordPress with openid-connect-generic",
    fileName: "usher-wordpress.php",
    callbackPath: "/wp-admin/admin-ajax.php?action=openid-connect-authorize",
    settings: (site) => ({
      login_timeout: "55m",
      post_logout_redirect_uris: [`${site}/goodbye.html`, site],
      target_link_uris: [`${site}/`, `${site}/*`],
    }),
  },
  "oauth2-proxy": {
    about: "oauth2-proxy",
    fileName: "oauth2-proxy.cfg",
    callbackPath: "/oauth2/callback",
    settings: (site) => ({
      ...startPage(site),
      login_timeout: "55m",
      remembered_logins: "many",
      refresh_tokens: true,
      target_link_uris: [`${site}/`, `${site}/*`],
    }),
  },
} as const satisfies Readonly<Partial<Record<ForwardAuthProxy | Party, PartyStart>>>;

export type StartParty = keyof typeof PARTY_STARTS;

export const START_PARTIES = Object.keys(PARTY_STARTS) as StartParty[];

export function isStartParty(name: string): name is StartParty {
  return Object.hasOwn(PARTY_STARTS, name);
}

/** Whether it takes answers where only the operator knows. */
export function hasOwnRedirect(party: StartParty): boolean {
  return !isForwardAuthProxy(party) && PARTY_STARTS[party].callbackPath === null;
}

/** The page with the other steps. */
export function pageOf(party: StartParty): string {
  return isForwardAuthProxy(party) ? `docs/forward-auth.md#${party}` : guideOf(party);
}

/** The variable with the client's secret. */
export const CLIENT_SECRET_NAME = "SITE_CLIENT_SECRET";

/** A first `usher.yaml`. Values are written as JSON, which is YAML, too. */
export function writeConfiguration(answers: Answers): string {
  const { issuer, party, site, room, ratePerMinute, store, adminPort } = answers;
  const isAsked = isForwardAuthProxy(party);
  return `# Every key: docs/configuration.md. Secrets are in usher.env.
issuer: ${JSON.stringify(issuer)}
${listenOf(answers)}
# For operators only: no proxy leads here.
admin: { listen: { host: 127.0.0.1, port: ${adminPort} } }

${store === "redis" ? "store: { type: redis, url: { from: env, name: USHER_REDIS_URL } }" : "# For a try, in one process. { type: redis, url: … } is for a sale.\nstore: { type: memory }"}

rooms:
  - id: ${JSON.stringify(room)}
    inlet: { type: periodic, outflow_per_minute: ${ratePerMinute} }
${isAsked ? waysInOf(site) : clientOf(answers, party)}`;
}

/** What forward authentication needs of a room. */
function waysInOf(site: string): string {
  return `    # Where visitors may be sent back to, and what never queues (docs/forward-auth.md).
    targets: [${JSON.stringify(`${site}/`)}, ${JSON.stringify(`${site}/*`)}]
    verify: { exempt: [/assets/*, /favicon.ico] }
`;
}

function clientOf(answers: Answers, party: Exclude<StartParty, ForwardAuthProxy>): string {
  const { site, redirectUri, room } = answers;
  const settings = Object.entries(PARTY_STARTS[party].settings(site));
  return `
# ${guideOf(party)}
clients:
  - client_id: ${JSON.stringify(clientIdOf(answers))}
    client_secret: { from: env, name: ${CLIENT_SECRET_NAME} }
    redirect_uris: [${JSON.stringify(redirectUri)}]
    room: ${JSON.stringify(room)}
    profile: ${profileOf(party)}
${settings.map(([key, value]) => `    ${key}: ${JSON.stringify(value)}\n`).join("")}`;
}

export function clientIdOf({ room, party }: Answers): string {
  return `${room}-${party}`;
}

const usualPort = 3_000;

/** Where a proxy on this machine finds Usher. */
export function gatewayOf({ issuer }: Answers): string {
  return `127.0.0.1:${localPortOf(issuer) ?? usualPort}`;
}

/** Of an http issuer, which is this computer's, and is served at its own port; null of another, before which is a proxy. */
function localPortOf(issuer: string): number | null {
  const url = URL.canParse(issuer) ? new URL(issuer) : null;
  return url?.protocol === "http:" ? Number(url.port || 80) : null;
}

function listenOf({ issuer, party, isInContainer }: Answers): string {
  const localPort = localPortOf(issuer);
  const port = localPort ?? usualPort;
  const host = new URL(issuer).hostname === "[::1]" ? '"::1"' : "127.0.0.1";
  // A container is reached from its host by the address that Docker's usual network gives to that.
  const [hostPart, proxy] = isInContainer ? ["", "172.17.0.1"] : [`host: ${host}, `, "127.0.0.1"];
  if (isForwardAuthProxy(party)) {
    return `# The proxies that may ask, and whose X-Forwarded-For is believed.\nlisten: { ${hostPart}port: ${port}, trusted_proxies: [${proxy}] }`;
  }
  if (localPort !== null) return `listen: { ${hostPart}port: ${port} }`;
  return `# Behind a proxy: say whose X-Forwarded-For is believed, trusted_proxies: [ADDRESS] (docs/deploy.md).\nlisten: { port: ${port} }`;
}
