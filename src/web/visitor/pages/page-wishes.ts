import type { Context } from "koa";
import type { IssuerThemes, ThemeConfig } from "../../../config/index.ts";
import { acceptsGzip, queryOf } from "../../../lib/request.ts";
import { createVisitorCookies, themeNameOf, uiLocalesOf } from "../../../oidc/index.ts";
import type { ClientDirectory } from "../../../registry/index.ts";
import type { Accept } from "../../pages/index.ts";
import { addressBefore, isOwnAddress, roomIn } from "../own-addresses.ts";

/** Of the pages of one issuer. */
export interface PageLanguages {
  /** The tag of a room's own language; undefined where it has none. */
  usualOf(room: string): string | undefined;
  /** For pages of no room. */
  readonly usual?: string | undefined;
  /** Whether visitors can choose one here. */
  readonly areOffered: boolean;
}

/**
 * Reads what a request says about the page that it can take, and in which language. The answer to a form has no address of its
 * own: it goes by the page that the form stood on. And what a page was asked to be in, those that it leads to are in as well.
 *
 * @param areLinked whether waiting pages have files beside them, which a browser may have been unable to load. Default: no
 * @returns with a room, of a page that belongs to it; by default, to the one in its address
 */
export function createPageWishes(
  issuer: string,
  languages: PageLanguages,
  areLinked = false,
): (ctx: Context, room?: string) => Accept {
  const cookies = createVisitorCookies(issuer.startsWith("https:"));

  return (ctx, room) => {
    const { req, originalUrl = "" } = ctx;
    const before = addressBefore(ctx, issuer);
    const address = ctx.method === "POST" ? before : originalUrl;
    const roomId = room ?? roomIn(address) ?? roomIn(originalUrl);
    return {
      gzip: acceptsGzip(req.headers),
      language: req.headers["accept-language"],
      chosen: cookies.language.read(req),
      uiLocales:
        uiLocalesOf(queryOf(address)) ??
        uiLocalesOf(queryOf(before)) ??
        cookies.uiLocales.read(req)?.replaceAll(".", " "),
      usual: (roomId === undefined ? undefined : languages.usualOf(roomId)) ?? languages.usual,
      isWhole: areLinked && cookies.assets.read(req) !== undefined,
      here: languages.areOffered ? (address === "" || isOwnAddress(address) ? address : "/") : undefined,
    };
  };
}

export type PageThemes = ReturnType<typeof createPageThemes>;

/** How the pages of one issuer look. @param clients whose first room counts where an address names none of theirs */
export function createPageThemes(
  { usual, ofRooms, ofClients, ofLinks }: IssuerThemes,
  clients: Pick<ClientDirectory, "get">,
  issuer: string,
) {
  const cookies = createVisitorCookies(issuer.startsWith("https:"));

  /** Without a link that names one. @param client the one that the visitor comes with */
  function of(room: string | undefined, client: string | undefined): ThemeConfig | undefined {
    if (room === undefined) return usual ?? undefined;
    const ofClient = client === undefined ? undefined : ofClients.get(client)?.get(room);
    return ofClient ?? ofRooms.get(room) ?? usual ?? undefined;
  }

  /** The one that the visitor's link names, where the room has it: by the page's address, as languages are found. */
  function ofLink(ctx: Context, room: string | undefined): ThemeConfig | undefined {
    const named = room === undefined ? undefined : ofLinks.get(room);
    if (named === undefined) return undefined;
    const name =
      themeNameOf(queryOf(ctx.originalUrl ?? "")) ??
      themeNameOf(queryOf(addressBefore(ctx, issuer))) ??
      cookies.theme.read(ctx.req);
    return name === undefined ? undefined : named.get(name);
  }

  /**
   * The room and the client of a page that has no client of its own: by its address, or by that of the page on which a link or a
   * button was pressed.
   *
   * @param room the one that the page belongs to; by default, the one in its address
   */
  function placeOf(ctx: Context, room: string | undefined): { room: string | undefined; client: string | undefined } {
    const own = ctx.originalUrl ?? "";
    const before = addressBefore(ctx, issuer);
    const login = loginAt(own) ?? loginAt(before);
    const id = room ?? roomIn(own) ?? roomIn(before);
    if (login === undefined) return { room: id, client: undefined };
    const rooms = clients.get(login.client)?.rooms ?? [];
    const named = login.room !== null && rooms.includes(login.room) ? login.room : rooms[0];
    return { room: id ?? named, client: login.client };
  }

  return {
    of,
    /** @param client the one that the visitor comes with */
    ofVisit: (ctx: Context, room: string, client: string | undefined) => ofLink(ctx, room) ?? of(room, client),
    /** Of links to a room, by name. */
    named: (room: string): ReadonlyMap<string, ThemeConfig> => ofLinks.get(room) ?? new Map(),
    /** All that visitors of a room may meet, each once. */
    allOf(room: string): ThemeConfig[] {
      const ofEachClient = [...ofClients.values()].map((byRoom) => byRoom.get(room));
      const ofEachLink = ofLinks.get(room)?.values() ?? [];
      return [...new Set([of(room, undefined), ...ofEachClient, ...ofEachLink])].filter((theme) => theme !== undefined);
    },
    /** With the room that the page is of, if any. */
    ofPage(ctx: Context, room: string | undefined): { theme: ThemeConfig | undefined; room: string | undefined } {
      const place = placeOf(ctx, room);
      return { theme: ofLink(ctx, place.room) ?? of(place.room, place.client), room: place.room };
    },
  };
}

/** What an authorization request says of client and room; nothing of it has been checked. */
function loginAt(address: string): { client: string; room: string | null } | undefined {
  const parameters = new URLSearchParams(address.startsWith("/authorize?") ? queryOf(address) : "");
  const client = parameters.get("client_id");
  return client === null ? undefined : { client, room: parameters.get("room") };
}
