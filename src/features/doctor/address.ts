import { lookup } from "node:dns/promises";
import { connect } from "node:tls";
import type { UsherConfig } from "../../config/index.ts";
import { type Finding, fault, ok, warning } from "../../lib/finding.ts";
import { reasonOf } from "../../lib/reason.ts";

const timeoutMs = 10_000;
const dayMs = 86_400_000;
/** Certificates are renewed a month before their end; one of two weeks was forgotten. */
const soonDays = 14;

/** Whether visitors find the issuer's host, and trust its certificate. */
export async function checkAddress(issuer: string, nowMs: number): Promise<Finding[]> {
  const { hostname, port, protocol } = new URL(issuer);
  const host = hostname.replace(/^\[|\]$/g, "");
  const found = await lookup(host).catch(reasonOf);
  if (typeof found === "string") {
    const wayOut = `make a record A or AAAA of ${host} that leads to the load balancer or proxy before Usher`;
    return [fault("DNS", `The name ${host} leads nowhere (${found}): ${wayOut}.`)];
  }
  const named = ok("DNS", `${host} is ${found.address}.`);
  if (protocol === "http:") {
    const text = `The issuer is ${issuer}, without TLS: only a browser on this machine accepts that. Give it an address with https (docs/tls.md).`;
    return [named, warning("TLS", text)];
  }
  return [named, await checkCertificate(host, Number(port || "443"), nowMs)];
}

/** Of a host that shows a certificate which is trusted here. */
async function checkCertificate(host: string, port: number, nowMs: number): Promise<Finding> {
  const end = await certificateEnd(host, port).catch((error: unknown) => refusal(error, host, port));
  if (typeof end === "string") return fault("TLS", end);
  const days = Math.floor((end - nowMs) / dayMs);
  const text = `The certificate of ${host} is trusted, and ends in ${days} days`;
  if (days >= soonDays) return ok("TLS", `${text}.`);
  return warning("TLS", `${text}: renew it before the sale, and see why it is not renewed by itself.`);
}

function certificateEnd(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, servername: /[a-z]/i.test(host) ? host : "", timeout: timeoutMs });
    socket.once("secureConnect", () => {
      resolve(Date.parse(socket.getPeerCertificate().valid_to));
      socket.destroy();
    });
    socket.once("timeout", () => socket.destroy(new Error("no answer in time")));
    socket.once("error", reject);
  });
}

function refusal(error: unknown, host: string, port: number): string {
  const code = reasonOf(error);
  const at = `${host}:${port}`;
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") {
    return `The certificate at ${at} is for other names: get one for ${host}, and see that the proxy shows it for this name.`;
  }
  if (code === "CERT_HAS_EXPIRED") return `The certificate at ${at} has expired: renew it, and reload the proxy.`;
  if (/SELF_SIGNED|UNABLE_TO|CERT_|DEPTH_ZERO/.test(code)) {
    return `The certificate at ${at} is not trusted (${code}): get one of a public authority, and have the proxy send its whole chain.`;
  }
  return `No TLS answers at ${at} (${code}): start the proxy, and open port ${port} to the public.`;
}

/** TLS is ended before Usher: what does that must be known to it. @param issuers their addresses */
export function checkProxies({ trustedProxies }: UsherConfig["listen"], issuers: readonly string[]): Finding[] {
  const isBehindProxy = issuers.some((issuer) => issuer.startsWith("https:"));
  if (!isBehindProxy) return [];
  if (trustedProxies.length > 0) return [ok("proxies", `${trustedProxies.length} ranges are trusted.`)];
  const wayOut = "name the addresses from which it connects in listen.trusted_proxies";
  return [
    fault("proxies", `No proxy is trusted, so all visitors behind the one that ends TLS count as one: ${wayOut}.`),
  ];
}

/** Where this machine reaches a listener. */
export function originOf({ host, port }: NonNullable<UsherConfig["admin"]["listen"]>): string {
  const here = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${here.includes(":") ? `[${here}]` : here}:${port}`;
}
