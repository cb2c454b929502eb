import type { UsherConfig } from "../config/index.ts";
import { type Finding, fault, ok } from "../lib/finding.ts";

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
