import type { ClientView } from "../../registry/index.ts";
import { badRequest } from "./bodies.ts";

/** A view, and the address of the issuer whose it is. */
export interface ListedClient {
  readonly issuer: string;
  readonly view: ClientView;
}

/**
 * A page of clients, sorted by id. The cursor says after which one it begins, so that others may come and go between two pages.
 *
 * @throws UsherError `bad_request`
 */
export function pageOfClients(
  clients: readonly ListedClient[],
  limit: number,
  cursor: string | string[] | undefined,
): { readonly page: readonly ListedClient[]; readonly next: string | null } {
  const after = cursor === undefined ? "" : readCursor(cursor);
  const rest = clients
    .map((client) => ({ client, place: placeOf(client) }))
    .filter(({ place }) => place > after)
    .sort((a, b) => (a.place < b.place ? -1 : 1));
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  return {
    page: page.map(({ client }) => client),
    next: last === undefined || page.length === rest.length ? null : Buffer.from(last.place).toString("base64url"),
  };
}

/** Ids have no spaces and nothing that sorts before one. */
function placeOf({ view, issuer }: ListedClient): string {
  return `${view.id} ${view.source} ${issuer}`;
}

function readCursor(cursor: string | string[]): string {
  const place = Buffer.from(String(cursor), "base64url").toString();
  if (/^[\x21-\x7e]+ [a-z_]+ \S+$/.test(place)) return place;
  throw badRequest([{ path: ["cursor"], message: "expected the next_cursor of the page before" }]);
}
