/**
 * The admission token in the address of a site. The rest of the address stays as it was written: sites may compare it, and
 * parsers that write it anew change it.
 */

const name = "usher_token";

export function withToken(address: string, token: string): string {
  const { base, query, fragment } = partsOf(withoutToken(address));
  return `${base}?${query === null || query === "" ? "" : `${query}&`}${name}=${token}${fragment}`;
}

export function withoutToken(address: string): string {
  const { base, query, fragment } = partsOf(address);
  if (query === null) return address;
  const kept = query.split("&").filter((each) => !isToken(each));
  if (kept.length === query.split("&").length) return address;
  return `${base}${kept.length === 0 ? "" : `?${kept.join("&")}`}${fragment}`;
}

/** The last one: a site's own link may carry an older one along. */
export function tokenIn(address: string): string | null {
  const found = partsOf(address).query?.split("&").findLast(isToken);
  return found === undefined ? null : found.slice(name.length + 1);
}

function isToken(parameter: string): boolean {
  return parameter === name || parameter.startsWith(`${name}=`);
}

function partsOf(address: string): { base: string; query: string | null; fragment: string } {
  const hash = address.indexOf("#");
  const fragment = hash < 0 ? "" : address.slice(hash);
  const whole = hash < 0 ? address : address.slice(0, hash);
  const mark = whole.indexOf("?");
  if (mark < 0) return { base: whole, query: null, fragment };
  return { base: whole.slice(0, mark), query: whole.slice(mark + 1), fragment };
}
