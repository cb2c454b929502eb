/**
 * What a request says of the page that answers it: its language and theme, and the address of this server at which the visitor was, and may be
 * sent back to.
 */
import type { Context } from "koa";
import type { IssuerThemes, ThemeConfig } from "../../../config/index.ts";
import { derived } from "../../../lib/derived.ts";
import { acceptsGzip, isWithinBounds, queryOf, referredFrom } from "../../../lib/request.ts";
import { roomIdShape } from "../../../lib/room-id.ts";
import { createVisitorCookies, themeNameOf, uiLocalesOf } from "../../../oidc/index.ts";
import type { ClientDirectory, RoomDirectory } from "../../../registry/index.ts";
import type { Accept } from "../../pages/index.ts";

const localAddress = /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/;
const isAuthorizationRequest = /^\/authorize\?[\x21-\x7e]*$/;
const inRoom = `^/rooms/(${roomIdShape})/`;
const isInRoom = new RegExp(inRoom);
const isLink = new RegExp(`${inRoom}enter\\?[\\x21-\\x7e]*$`);
const isMoveLink = new RegExp(`${inRoom}move\\?place=[\\w.-]*$`);
const isBypassLink = new RegExp(`${inRoom}bypass\\?link=[\\w.~-]*$`);

/** Whether an address is one of this server, so that a visitor may be sent there. */
export function isLocalAddress(address: string): boolean {
  return isWithinBounds(address) && localAddress.test(address);
}

/** The room whose page stands at an address. */
export function roomIn(address: string): string | undefined {
  return isInRoom.exec(address)?.[1];
}

/** The page of this issuer on which a link or a button was pressed; empty if there was none, or the browser does not say. */
export function addressBefore(ctx: Context, issuer: string): string {
  const address = referredFrom(issuer, ctx.req.headers) ?? "";
  return isWithinBounds(address) ? address : "";
}

/**
 * The authorization request or the link to a room from whose page the visitor pressed a button; undefined where the browser
 * does not say.
 */
export function referrerOf(ctx: Context, issuer: string): string | undefined {
  const address = addressBefore(ctx, issuer);
  if (isAuthorizationRequest.test(address) || isLink.test(address)) return address;
  return isLink.test(`${address}?`) ? `${address}?` : undefined;
}

/**
 * Whether an address is one at which a room's gate stands, or of a bypass link of the room, or of a link that carries a place
 * of it.
 */
export function isWayInto(room: string, address: string): boolean {
  if (!isWithinBounds(address)) return false;
  const ofRoom = [isLink, isBypassLink, isMoveLink];
  return isAuthorizationRequest.test(address) || ofRoom.some((pattern) => pattern.exec(address)?.[1] === room);
}

/** Of the pages of one issuer. */
export interface PageLanguages {
  /** The tag of a room's own language; undefined where it has none. */
  usualOf(room: string): string | undefined;
  /** For pages of no room. */
  readonly usual?: string | undefined;
  /** Whether visitors can choose one here. */
  readonly areOffered: boolean;
}

/** Each room's own language; a page of no room is in that of all rooms, if they have one in common. */
export function createPageLanguages(rooms: RoomDirectory): PageLanguages {
  const usual = derived(
    () => [rooms.all],
    (all) => {
      const [first, ...others] = new Set(all.map(({ language }) => language ?? undefined));
      return others.length === 0 ? first : undefined;
    },
  );
  return {
    usualOf: (room) => rooms.get(room)?.language ?? undefined,
    get usual() {
      return usual();
    },
    areOffered: true,
  };
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
      here: languages.areOffered ? (address === "" || isLocalAddress(address) ? address : "/") : undefined,
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
    const current = ctx.originalUrl ?? "";
    const before = addressBefore(ctx, issuer);
    const login = loginAt(current) ?? loginAt(before);
    const id = room ?? roomIn(current) ?? roomIn(before);
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
      const clientThemes = [...ofClients.values()].map((byRoom) => byRoom.get(room));
      const linkThemes = ofLinks.get(room)?.values() ?? [];
      return [...new Set([of(room, undefined), ...clientThemes, ...linkThemes])].filter((theme) => theme !== undefined);
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
