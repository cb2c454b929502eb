/** What is said of a store that is named for another installation. */
import type { Installation } from "../contract/installation.ts";
import type { ServerName } from "./server-name.ts";

export const mendForeign =
  "give it another server or database, or a store.prefix of its own; if it belongs to that installation, give it the issuer and the secrets file " +
  "(or keys.tickets) of its processes; if it takes that one's place, stop those and run usher adopt --config FILE";

/** The ticket keys of this one may not be known. */
type Named = Pick<Installation, "issuers"> & { readonly ticketKeys: readonly string[] | null };

/** The installation that owns the store, for a process of another one. */
export function foreignWords({ name }: ServerName, ours: Named, theirs: Installation): string {
  return `${name} belongs to another installation (${wordsOf(theirs)}), and this one is ${wordsOf(ours)}`;
}

/**
 * Why the store is not this installation's, as the store's own script judges it; null where it is, or nobody's.
 *
 * @param named the issuers and ticket keys of the name, as they are kept
 */
export function foreignName(
  server: ServerName,
  ours: Named,
  [issuers, ticketKeys]: readonly (string | null | undefined)[],
): string | null {
  if (typeof issuers !== "string" || typeof ticketKeys !== "string") return null;
  const theirs: Installation = { issuers: listOf(issuers), ticketKeys: listOf(ticketKeys) };
  const isOurs =
    shares(ours.issuers, theirs.issuers) && (ours.ticketKeys === null || shares(ours.ticketKeys, theirs.ticketKeys));
  return isOurs ? null : `${foreignWords(server, ours, theirs)}: ${mendForeign}`;
}

/** Lua writes an empty list as an object. */
function listOf(text: string): string[] {
  const list: unknown = JSON.parse(text);
  return Array.isArray(list) ? list.map(String) : [];
}

function shares(ones: readonly string[], others: readonly string[]): boolean {
  return ones.some((one) => others.includes(one));
}

function wordsOf({ issuers, ticketKeys }: Named): string {
  const parts = [...(issuers.length === 0 ? [] : [`issuer ${some(issuers)}`])];
  if (ticketKeys !== null) parts.push(`ticket keys ${some(ticketKeys)}`);
  return parts.join(", ");
}

/** The first of a list, which may be long. */
function some(words: readonly string[]): string {
  const first = words.slice(0, 5).join(", ");
  return words.length > 5 ? `${first} and ${words.length - 5} more` : first;
}
