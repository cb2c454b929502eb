import { type ClientConfig, TARGET_PLACEHOLDER } from "../../config/index.ts";
import { createTargetList } from "../../lib/link-target.ts";

/**
 * Where a fresh login of one client is started in a room, for a visitor who wants to go to a target, if the request did say; null
 * for a target that the client does not list. The address is used verbatim; only the target, if it has a place in it, is filled in. Third-party-initiated login adds
 * `iss` and `target_link_uri`, no `login_hint`: the visitor is known by a cookie, and their `sub` is kept out of logs.
 */
export function createLoginStart(client: ClientConfig, issuer: string) {
  const { targetLinkUris, redirectUris, thirdPartyLogin, initiateLoginUri, initiateLoginUris } = client;
  const findTarget = createTargetList(targetLinkUris);
  const firstPage = targetLinkUris.find((uri) => !uri.endsWith("/*"));
  const usualTarget = firstPage ?? `${new URL(redirectUris[0] ?? "").origin}/`;

  return (room: string, target?: string): string | null => {
    // What was compared is what is sent on, letter by letter.
    const found = target === undefined ? usualTarget : findTarget(target);
    if (found === null) return null;
    const ofRoom = Object.hasOwn(initiateLoginUris, room) ? initiateLoginUris[room] : undefined;
    const start = ofRoom ?? initiateLoginUri;
    if (!thirdPartyLogin) return start.replaceAll(TARGET_PLACEHOLDER, encodeURIComponent(found));
    const added = new URLSearchParams({ iss: issuer, target_link_uri: found });
    return `${start}${start.includes("?") ? "&" : "?"}${added}`;
  };
}
