import type { WrittenParty } from "../snippets/written-parties.ts";

/** What a first configuration is made of. The configuration's own check follows. */
export interface Answers {
  readonly issuer: string;
  readonly party: WrittenParty;
  /** An origin. */
  readonly site: string;
  readonly redirectUri: string;
  readonly room: string;
  readonly ratePerMinute: number;
  readonly store: "memory" | "redis";
  readonly adminPort: number;
}

/** What a first configuration has to say for a relying party whose snippet is used as it is. */
interface PartyStart {
  /** Where it takes answers at the site; null where that is at another host, which only the operator knows. */
  readonly callbackPath: string | null;
  /** Of the file with the snippet. */
  readonly fileName: string;
  /** Keys of the client that go with times and switches of the snippet. */
  readonly settings: (site: string) => Readonly<Record<string, unknown>>;
}

const usual = () => ({});

/** A test compares them with the clients of the guides. */
export const PARTY_STARTS: Readonly<Record<WrittenParty, PartyStart>> = {
  alb: { callbackPath: "/oauth2/idpresponse", fileName: "alb.tf", settings: usual },
  cognito: { callbackPath: null, fileName: "cognito.tf", settings: usual },
  nginx: { callbackPath: "/oidc_callback", fileName: "nginx.conf", settings: usual },
  apache: { callbackPath: "/oidc/callback", fileName: "apache.conf", settings: () => ({ login_timeout: "55m" }) },
  "oauth2-proxy": {
    callbackPath: "/oauth2/callback",
    fileName: "oauth2-proxy.cfg",
    settings: (site) => ({
      login_timeout: "55m",
      remembered_logins: "many",
      refresh_tokens: true,
      target_link_uris: [`${site}/`, `${site}/*`],
    }),
  },
};

export const START_PARTIES = Object.keys(PARTY_STARTS) as WrittenParty[];

export function isStartParty(name: string): name is WrittenParty {
  return Object.hasOwn(PARTY_STARTS, name);
}

/** The variable with the client's secret. */
export const CLIENT_SECRET_NAME = "SITE_CLIENT_SECRET";

/** A first `usher.yaml`. Values are written as JSON, which is YAML, too. */
export function writeConfiguration(answers: Answers): string {
  const { issuer, party, site, redirectUri, room, ratePerMinute, store, adminPort } = answers;
  const settings = Object.entries(PARTY_STARTS[party].settings(site));
  return `# Every key: docs/configuration.md. Secrets are in usher.env.
issuer: ${JSON.stringify(issuer)}
${listenOf(issuer)}
# For operators only: no proxy leads here.
admin: { listen: { host: 127.0.0.1, port: ${adminPort} } }

${store === "redis" ? "store: { type: redis, url: { from: env, name: USHER_REDIS_URL } }" : "# For a try, in one process. { type: redis, url: … } is for a sale.\nstore: { type: memory }"}

rooms:
  - id: ${JSON.stringify(room)}
    inlet: { type: periodic, outflow_per_minute: ${ratePerMinute} }

# docs/relying-parties/${party}.md
clients:
  - client_id: ${JSON.stringify(clientIdOf(answers))}
    client_secret: { from: env, name: ${CLIENT_SECRET_NAME} }
    redirect_uris: [${JSON.stringify(redirectUri)}]
    room: ${JSON.stringify(room)}
    profile: ${party}
    initiate_login_uri: ${JSON.stringify(`${site}/`)}
${settings.map(([key, value]) => `    ${key}: ${JSON.stringify(value)}\n`).join("")}`;
}

export function clientIdOf({ room, party }: Answers): string {
  return `${room}-${party}`;
}

/** An http issuer is this computer's, and is served at its own port; before an https one is a proxy. */
function listenOf(issuer: string): string {
  const url = URL.canParse(issuer) ? new URL(issuer) : null;
  if (url?.protocol === "http:") {
    const host = url.hostname === "[::1]" ? '"::1"' : "127.0.0.1";
    return `listen: { host: ${host}, port: ${url.port || 80} }`;
  }
  return "# Behind a proxy: say whose X-Forwarded-For is believed, trusted_proxies: [ADDRESS] (docs/deploy.md).\nlisten: { port: 3000 }";
}
