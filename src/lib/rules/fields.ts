/** What expressions and triggers can compare, and why other things cannot be compared. */
import { isIP } from "node:net";
import { ruleBounds, type TextField } from "./syntax-tree.ts";

export const textFields: Readonly<Record<string, TextField>> = {
  "http.request.uri.path": { name: "path" },
  "http.request.uri.query": { name: "query" },
  "http.request.uri": { name: "uri" },
  "http.request.full_uri": { name: "full_uri" },
  "http.host": { name: "host" },
  "http.request.method": { name: "method" },
  "http.user_agent": { name: "user_agent" },
  "http.cookie": { name: "cookies" },
};
export const headersField = "http.request.headers";
export const addressField = "ip.src";
export const crawlerField = "verified_crawler";
export const fieldNames = [...Object.keys(textFields), `${headersField}["name"][0]`, addressField, crawlerField];

/** Fields that Cloudflare has and Usher cannot know, with what to do. */
export const withoutEqual: readonly (readonly [field: RegExp, wayOut: string])[] = [
  [
    /^(?:ip\.src\.|ip\.geoip\.)/,
    "Usher knows no countries, networks or places of addresses: let the CDN write them into a header that it overwrites, and compare that",
  ],
  [
    /^cf\.(?:client\.bot|bot_management\.|verified_bot)/,
    "write verified_crawler, which asks the DNS for crawlers of search engines",
  ],
  [/^cf\./, "it is a finding of Cloudflare's own, which Usher has not: leave it out"],
  [/^(?:raw\.|http\.request\.body|http\.response|http\.request\.timestamp)/, "Usher does not see it: leave it out"],
];

/** Headers that say who asks or what was asked for. Proxies write them, and fields that are trusted say the same. */
const unusableHeaders: readonly (readonly [header: RegExp, wayOut: string])[] = [
  [/^host$/, "write http.host"],
  [
    /^(?:x-forwarded-for|forwarded|x-real-ip|true-client-ip|cf-connecting-ip)$/,
    "write ip.src, which only trusted proxies say",
  ],
  [/^(?:x-forwarded-|x-original-)/, "write http.host, http.request.uri.path or http.request.method"],
  [/^x-usher-/, "Usher itself writes it"],
  [/^(?:proxy-)?authorization$/, "a rule is no place for a secret: use a link past the line"],
];

/** Why a header cannot be compared, and what to do; null for one that can. @param name in lower case */
export function headerFault(name: string): string | null {
  if (!/^[a-z0-9!#$%&'*+.^_`|~-]{1,64}$/.test(name))
    return "is no name of a header: letters, digits and hyphens, at most 64";
  const wayOut = unusableHeaders.find(([header]) => header.test(name))?.[1];
  return wayOut === undefined ? null : `cannot be compared: ${wayOut}`;
}

/** Why a text cannot be compared with requests; null for one that can. */
export function valueFault(text: string): string | null {
  if (text.length > ruleBounds.value) return `has ${text.length} characters: expected at most ${ruleBounds.value}`;
  return /\p{Cc}|\p{Cs}/u.test(text) ? "has a character that no request has: take it out" : null;
}

export function rangeFault(range: string): string | null {
  if (range.includes("..")) return `${range}: write a range of addresses in CIDR notation, such as 192.0.2.0/24`;
  const [address = "", bits, ...rest] = range.split("/");
  const version = isIP(address);
  const isWidth = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
  return version !== 0 && isWidth && rest.length === 0 && !address.includes("%")
    ? null
    : `${JSON.stringify(range)} is no address or CIDR range, such as 192.0.2.0/24 or 2001:db8::/32, without quotes`;
}
