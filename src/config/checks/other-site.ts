/** Issuers and sites under different domains: browsers take the one for a host that visitors only pass through. */
import { getDomain } from "tldts";

/**
 * What is wrong with an issuer's host for the visitors of a site; null for nothing, and for what is not of the public internet. By the
 * Public Suffix List, as browsers do it: `queue.example.com` and `shop.example.com` are one site, two hosts below `github.io` are not.
 */
export function otherSiteWarning(issuer: string, site: string): string | null {
  if (!issuer.startsWith("https:") || !site.startsWith("https:")) return null;
  const [own, theirs] = [issuer, site].map((each) =>
    getDomain(each, { allowPrivateDomains: true, validateHostname: false }),
  );
  if (own == null || theirs == null || own === theirs) return null;
  return (
    `is of another site (${own}) than visitors come to (${theirs}): browsers delete the cookies of a host that people only pass ` +
    `through, and their places go with them. Give Usher a host of the site's own domain, such as queue.${theirs}`
  );
}

/** Of an issuer the warnings for its sites, each domain once. @param sites addresses */
export function findOtherSites(issuer: string, sites: readonly string[]): string[] {
  const warnings = sites
    .filter((site) => URL.canParse(site))
    .map((site) => otherSiteWarning(issuer, new URL(site).origin));
  return [...new Set(warnings.filter((warning) => warning !== null))];
}
