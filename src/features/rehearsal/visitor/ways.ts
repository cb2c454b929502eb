import { type LoginRequest, loginRequest, placeOf } from "../../../lib/openid/login-request.ts";
import type { AdminAnswers } from "../../../operate/client/index.ts";

export type Stage = AdminAnswers["Rehearsal"];
export type StageClient = Stage["clients"][number];

/** What a tab has begun. */
export interface StartedEntry {
  readonly url: URL;
  /** Of the login that the rehearsal itself began; null where the site does, or there is none. */
  readonly login: LoginRequest | null;
}

/**
 * Where a redirect leads. `in`: the waiting room lets the visitor in, and `isFollowed` says whether there is a page to see. `anew`: a
 * fresh login is to be begun, as the one before is too old.
 */
export type Lead =
  | { readonly to: "follow" }
  | { readonly to: "in"; readonly isFollowed: boolean; readonly code: string | null }
  | { readonly to: "anew" }
  | { readonly to: "nowhere"; readonly reason: string };

/** How visitors come to the room, and what its redirects mean on that way. No request leaves it. */
export interface Way {
  readonly kind: "login" | "link" | "site";
  /** In words, for the report. */
  readonly name: string;
  begin(): StartedEntry;
  lead(to: URL, started: StartedEntry): Lead;
}

const follow = { to: "follow" } as const;

/** Logins of one client, which the rehearsal begins and ends itself: the site is never asked. */
export function loginWay({ issuer, room }: Stage, { client_id, redirect_uris }: StageClient): Way {
  const redirectUri = redirect_uris[0] ?? "";
  return {
    kind: "login",
    name: `logins of ${client_id}`,
    begin() {
      const login = loginRequest(issuer, client_id, redirectUri, { room });
      return { url: new URL(login.url), login };
    },
    lead(to, { login }) {
      if (to.origin === issuer) return follow;
      // Where the site begins a login: the one before is too old, or was answered.
      if (placeOf(to.href) !== placeOf(redirectUri)) return { to: "anew" };
      const { searchParams } = to;
      const error = searchParams.get("error");
      if (error !== null) return { to: "nowhere", reason: `login refused: ${error}` };
      const [code, state, iss] = ["code", "state", "iss"].map((name) => searchParams.get(name));
      if (code === null || code === undefined || state !== login?.state || (iss ?? issuer) !== issuer) {
        return { to: "nowhere", reason: "another login came back" };
      }
      return { to: "in", isFollowed: false, code };
    },
  };
}

/** The link to the room, up to the address with a token: that is never asked. */
export function linkWay({ issuer, room }: Stage): Way {
  return {
    kind: "link",
    name: "the link to the room",
    begin: () => ({ url: new URL(`${issuer}/rooms/${room}/enter`), login: null }),
    lead: (to) => (to.origin === issuer ? follow : { to: "in", isFollowed: false, code: null }),
  };
}

/** A page of the protected site, through its own relying party to the page itself. */
export function siteWay({ issuer, room, clients }: Stage, site: URL): Way {
  const origins = siteOrigins(clients);
  return {
    kind: "site",
    name: `the site ${site.origin}`,
    begin: () => ({ url: site, login: null }),
    lead(to) {
      if (to.origin === issuer) {
        const reason = strayReason({ room, clients }, to);
        return reason === null ? follow : { to: "nowhere", reason };
      }
      if (!origins.has(to.origin))
        return { to: "nowhere", reason: `redirect to ${to.host}, which is no host of the room` };
      const isCallback = clients.some(({ redirect_uris }) =>
        redirect_uris.some((uri) => placeOf(uri) === placeOf(to.href)),
      );
      const error = isCallback ? to.searchParams.get("error") : null;
      if (error !== null) return { to: "nowhere", reason: `login refused: ${error}` };
      const code = isCallback ? to.searchParams.get("code") : null;
      return code === null ? follow : { to: "in", isFollowed: true, code };
    },
  };
}

/** The hosts that the room's clients have registered. */
export function siteOrigins(clients: readonly StageClient[]): ReadonlySet<string> {
  return new Set(clients.flatMap(({ redirect_uris }) => redirect_uris.map((uri) => new URL(uri).origin)));
}

/** Why a request at the issuer is none for the rehearsal's room: visitors who are played must come into no other. Null: it is. */
export function strayReason({ room, clients }: Pick<Stage, "room" | "clients">, to: URL): string | null {
  const inPath = /^\/rooms\/([^/]+)/.exec(to.pathname)?.[1];
  if (inPath !== undefined) return inPath === room ? null : `redirect into the room ${inPath.slice(0, 32)}`;
  if (to.pathname !== "/authorize") return null;
  const id = to.searchParams.get("client_id") ?? "";
  const client = clients.find(({ client_id }) => client_id === id);
  if (client === undefined) return `login of ${id.slice(0, 64)}, which is no client of the room`;
  const named = to.searchParams.get("room");
  if (named !== null && named !== "") return named === room ? null : `login for the room ${named.slice(0, 32)}`;
  // What was pushed ahead is not seen here, and may name any room of the client.
  const isPushed = to.searchParams.has("request_uri");
  if (isPushed ? client.is_only_room : client.is_first_room) return null;
  return `login of ${id.slice(0, 64)} for another of its rooms`;
}
