import type { Answers } from "./answers.ts";
import { PARTY_STARTS } from "./parties.ts";

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
