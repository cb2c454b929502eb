/** What is set at a proxy that asks Usher for each request (docs/forward-auth.md), as a file that the program takes as it is. */
import { FORWARD_AUTH_TEXTS } from "./guide-texts.ts";
import { requirePlain } from "./render.ts";

export type ForwardAuthProxy = keyof typeof FORWARD_AUTH_TEXTS;

export const FORWARD_AUTH_PROXIES = Object.keys(FORWARD_AUTH_TEXTS) as ForwardAuthProxy[];

export function isForwardAuthProxy(name: string): name is ForwardAuthProxy {
  return Object.hasOwn(FORWARD_AUTH_TEXTS, name);
}

export interface ForwardAuthValues {
  readonly room: string;
  /** An origin: of the pages that are protected. */
  readonly site: string;
  /** Where the proxy finds Usher itself, such as 127.0.0.1:3000. */
  readonly gateway: string;
}

/** Where the site itself listens, which only its operator knows. */
const siteServer = "127.0.0.1:8080";

/** @throws CommandError for a value that would not be read as it is written */
export function renderForwardAuth(proxy: ForwardAuthProxy, values: ForwardAuthValues): string {
  requirePlain(Object.values(values), "docs/forward-auth.md");
  const head = [
    `# The other steps, and what each line is for: docs/forward-auth.md#${proxy}`,
    `# The site itself listens at ${siteServer} here, and Usher at ${values.gateway}: write where they are.`,
  ];
  return `${head.join("\n")}\n${files[proxy](values)}`;
}

const files: Readonly<Record<ForwardAuthProxy, (values: ForwardAuthValues) => string>> = {
  nginx: (values) => {
    const { hostname, protocol } = new URL(values.site);
    const isTls = protocol === "https:";
    const tls = `  ssl_certificate /etc/ssl/${hostname}.crt;\n  ssl_certificate_key /etc/ssl/${hostname}.key;\n`;
    return `# Within http { … }: such as /etc/nginx/conf.d/usher.conf.
server {
  listen ${portOf(values.site)}${isTls ? " ssl" : ""};
  server_name ${hostname};
${isTls ? tls : ""}  # For the address with the token.
  large_client_header_buffers 4 16k;

${indented(blockOf("nginx", values))}}
`;
  },

  traefik: (values) => {
    const { hostname, protocol } = new URL(values.site);
    const router = (name: string, rule: string, more: string) =>
      `    ${name}: { rule: "${rule}", service: site${more}${protocol === "https:" ? ", tls: {}" : ""} }\n`;
    const host = `Host(\`${hostname}\`)`;
    return `# A file of the file provider.
${blockOf("traefik", values)}  routers:
${router("site", host, `, middlewares: [${yamlWord(values.room)}]`)}    # Nobody is asked about these.
${router("webhooks", `${host} && PathPrefix(\`/webhooks/\`)`, "")}  services:
    site: { loadBalancer: { servers: [{ url: "http://${siteServer}" }] } }
`;
  },

  caddy: (values) => blockOf("caddy", values),
};

/** The block of the guide, with other values. */
function blockOf(proxy: ForwardAuthProxy, { room, site, gateway }: ForwardAuthValues): string {
  const { protocol, host } = new URL(site);
  const cookie = protocol === "https:" ? `__Host-usher-${room}.admission` : `usher-${room}.admission`;
  const others: Readonly<Record<string, string>> = {
    "__Host-usher-tickets.admission": cookie,
    "rooms/tickets/verify": `rooms/${room}/verify`,
    "    tickets:\n": `    ${yamlWord(room)}:\n`,
    "http://usher:3000": `http://${gateway}`,
    "http://usher": `http://${gateway}`,
    "usher:3000": gateway,
    "http://shop": `http://${siteServer}`,
    "shop:8080": siteServer,
    // Caddy takes a name alone for a site with TLS.
    "shop.example.com": protocol === "https:" ? host : site,
  };
  const found = Object.keys(others).map((text) => text.replaceAll(".", "\\."));
  return FORWARD_AUTH_TEXTS[proxy].join("").replace(new RegExp(found.join("|"), "g"), (text) => others[text] ?? text);
}

/** The id of a room, which YAML may read as something else than text. */
function yamlWord(room: string): string {
  return /^[a-z]/.test(room) && !/^(true|false|null|y|n|yes|no|on|off)$/.test(room) ? room : JSON.stringify(room);
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, "  ");
}

function portOf(site: string): string {
  const { port, protocol } = new URL(site);
  return port || (protocol === "https:" ? "443" : "80");
}
