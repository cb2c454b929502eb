import type { Context } from "koa";
import type { IssuerThemes } from "../../config/index.ts";
import type { Theme } from "../../pages/index.ts";
import { addressBefore, roomIn } from "./page-wishes.ts";

/** How the pages of one issuer look. */
export interface PageThemes {
  /** @param client the one that the visitor comes with */
  of(room: string, client: string | undefined): Theme | undefined;
  /**
   * The theme of a page without a client of its own: by its address, or by that of the page on which a link or a button was
   * pressed.
   *
   * @param room the one that the page belongs to; by default, the one in its address
   */
  ofPage(ctx: Context, room: string | undefined): Theme | undefined;
}

/** @param clients whose first room counts where an address names none of theirs */
export function createPageThemes(
  { usual, ofRooms, ofClients }: IssuerThemes,
  clients: readonly { readonly clientId: string; readonly rooms: readonly string[] }[],
  issuer: string,
): PageThemes {
  const roomsOf = new Map(clients.map(({ clientId, rooms }) => [clientId, rooms]));

  function of(room: string | undefined, client: string | undefined): Theme | undefined {
    if (room === undefined) return usual ?? undefined;
    const ofClient = client === undefined ? undefined : ofClients.get(client)?.get(room);
    return ofClient ?? ofRooms.get(room) ?? usual ?? undefined;
  }

  return {
    of,
    ofPage(ctx, room) {
      const own = ctx.originalUrl ?? "";
      const before = addressBefore(ctx, issuer);
      const login = loginAt(own) ?? loginAt(before);
      const id = room ?? roomIn(own) ?? roomIn(before);
      if (login === undefined) return of(id, undefined);
      const rooms = roomsOf.get(login.client) ?? [];
      const named = login.room !== null && rooms.includes(login.room) ? login.room : rooms[0];
      return of(id ?? named, login.client);
    },
  };
}

/** What an authorization request says of client and room; nothing of it has been checked. */
function loginAt(address: string): { client: string; room: string | null } | undefined {
  const query = /^\/authorize\?(.*)$/.exec(address)?.[1];
  const parameters = new URLSearchParams(query ?? "");
  const client = parameters.get("client_id");
  return client === null ? undefined : { client, room: parameters.get("room") };
}
