import { type ClientConfig, TARGET_PLACEHOLDER } from "../../config/index.ts";
import { createTargetList } from "../../lib/link-target.ts";

/** Where a fresh login of one client is started. */
export interface LoginStart {
  /**
   * The address for a room; null for a target that the client does not list.
   *
   * @param target where the visitor wants to go; undefined where the request did not say
   */
  addressFor(room: string, target: string | undefined): string | null;
}

/**
 * The address is used verbatim; only the target, if it has a place in it, is filled in. Third-party-initiated login adds
 * `iss` and `target_link_uri`, no `login_hint`: the visitor is known by a cookie, and their `sub` is kept out of logs.
 */
export function createLoginStart(client: ClientConfig, issuer: string): LoginStart {
  const { targetLinkUris, thirdPartyLogin } = client;
  const findTarget = createTargetList(targetLinkUris);
  const defaultTarget = defaultTargetOf(client);
  const isPlain = new Map(client.rooms.map((room) => [room, !thirdPartyLogin && !hasPlace(startOf(client, room))]));

  function addressOf(room: string, target: string): string {
    const start = startOf(client, room);
    if (!thirdPartyLogin) return start.replaceAll(TARGET_PLACEHOLDER, encodeURIComponent(target));
    const added = new URLSearchParams({ iss: issuer, target_link_uri: target });
    return `${start}${start.includes("?") ? "&" : "?"}${added}`;
  }

  return {
    addressFor(room, target) {
      if (target === undefined) return isPlain.get(room) ? startOf(client, room) : addressOf(room, defaultTarget);
      // What was compared is what is sent on, letter by letter.
      const found = findTarget(target);
      return found === null ? null : addressOf(room, found);
    },
  };
}

function startOf({ initiateLoginUri, initiateLoginUris }: ClientConfig, room: string): string {
  return Object.hasOwn(initiateLoginUris, room) ? (initiateLoginUris[room] ?? initiateLoginUri) : initiateLoginUri;
}

function hasPlace(start: string): boolean {
  return start.includes(TARGET_PLACEHOLDER);
}

function defaultTargetOf({ targetLinkUris, redirectUris }: ClientConfig): string {
  return targetLinkUris.find((uri) => !uri.endsWith("/*")) ?? `${new URL(redirectUris[0] ?? "").origin}/`;
}
