/**
 * Describes what is wrong with a relying party's request, for the operator. Repeats nothing of the request as it is.
 */
import { formatTime } from "../../config/index.ts";
import type { ClientDirectory } from "../../registry/index.ts";

/**
 * The client's secrets that did not match, by the beginnings of their hashes; `printf %s "$SECRET" | sha256sum` gives
 * that of the site's own.
 */
export function describeWrongSecret(clients: Pick<ClientDirectory, "secretsOf">, clientId: string): string {
  const secrets = clients.secretsOf(clientId).map(({ sha256, expiresMs }) => {
    const until = expiresMs === null ? "" : `, accepted until ${formatTime(expiresMs)}`;
    return `(SHA-256 ${sha256.slice(0, 8)}…${until})`;
  });
  const [current, ...previous] = secrets;
  if (current === undefined) return "the client has no secret";
  const names = previous.length === 0 ? `not the client's secret ${current}` : neither(current, previous);
  return `the secret that came is ${names}; printf %s "$SECRET" | sha256sum shows which one the site has`;
}

function neither(current: string, previous: readonly string[]): string {
  return `neither the current one ${current} nor ${previous.length === 1 ? "the previous one" : "one of the previous ones"} ${previous.join(", ")}`;
}

/** The registered redirect URI that comes nearest to the one that came, and where they differ. */
export function describeNearest(
  sent: string,
  registered: readonly string[],
): { nearest: string; difference: string } | null {
  const [nearest] = registered.map((uri) => ({ uri, alike: alike(uri, sent) })).sort((a, b) => b.alike - a.alike);
  return nearest === undefined ? null : { nearest: nearest.uri, difference: differenceOf(sent, nearest.uri) };
}

/** Characters that two texts have in common at their beginning and their end. */
function alike(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let before = 0;
  while (before < most && a[before] === b[before]) before++;
  let behind = 0;
  while (behind < most - before && a.at(-1 - behind) === b.at(-1 - behind)) behind++;
  return before + behind;
}

const parts = [
  ["scheme", "protocol"],
  ["host", "hostname"],
  ["port", "port"],
  ["path", "pathname"],
] as const;

function differenceOf(sent: string, registered: string): string {
  if (!URL.canParse(sent)) return "it is no absolute URL";
  const [a, b] = [new URL(sent), new URL(registered)];
  const names = parts.flatMap(([name, key]) =>
    a[key] === b[key] ? [] : [`the ${name} is ${shown(a[key])}, not ${shown(b[key])}`],
  );
  // What stands in a query or a fragment may be secret.
  if (a.search !== b.search) names.push(b.search === "" ? "it has a query" : "the query is another one");
  if (a.hash !== b.hash) names.push("it has a fragment");
  return names.length === 0 ? "it is written in another way: letter for letter it must be the same" : names.join("; ");
}

function shown(part: string): string {
  return part === "" ? "none" : part.replace(/[^\x21-\x7e]/g, "\ufffd").slice(0, 100);
}
