import type { RoomUnderTest } from "../world.ts";

/** One client for each room. In all but two, places are open: whoever comes, enters. */
export const openRooms: RoomUnderTest[] = [
  { id: "op" },
  { id: "other" },
  { id: "post", client: { token_endpoint_auth_method: "client_secret_post" } },
  { id: "pkce", client: { require_pkce: true } },
  { id: "refresh", client: { refresh_tokens: true } },
  { id: "other-refresh", client: { refresh_tokens: true } },
  { id: "spa", client: { client_secret: undefined, token_endpoint_auth_method: "none", refresh_tokens: true } },
];

/** Where nobody may join: what asks here is refused before it takes a place. */
export const closedRooms: RoomUnderTest[] = [
  { id: "closed" },
  { id: "closed-spa", client: { client_secret: undefined, token_endpoint_auth_method: "none" } },
];
