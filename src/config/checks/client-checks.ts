import { indexesAt, type Path, valueAt } from "../resolve/raw-document.ts";
import { secretlessReason } from "../schema/client-authentication.ts";
import { PROFILES } from "../schema/profiles.ts";
import { type Fault, faultAt } from "./faults.ts";
import { knownRooms, unknownRoom, unknownRooms } from "./room-names.ts";
import { TARGET_PLACEHOLDER } from "./urls.ts";
import { searchedMax, unknownWord } from "./words.ts";

/** What a client's own keys say against each other. */
export function checkClient(raw: unknown, path: Path): Fault[] {
  if (typeof valueAt(raw, path) !== "object") {
    return [];
  }
  return [...checkClientSettings(raw, path), ...checkClientSecret(raw, path)];
}

/** All of it but the secret. */
export function checkClientSettings(raw: unknown, path: Path): Fault[] {
  return [
    ...checkClientRoom(raw, path),
    ...checkPkce(raw, path),
    ...LISTS.flatMap((list) => repeatedItems(raw, [...path, list])),
    ...checkRestarts(raw, path),
    ...checkThirdPartyLogin(raw, path),
    ...checkClaims(raw, path),
    ...checkBackchannelLogout(raw, path),
    ...checkClientKeys(raw, path),
    ...checkPushedRequests(raw, path),
  ];
}

/** Whatever is named twice in one of these was meant to be something else. */
const LISTS = [
  "rooms",
  "redirect_uris",
  "post_logout_redirect_uris",
  "target_link_uris",
  "claims",
  "response_modes",
] as const;

function checkClientRoom(raw: unknown, path: Path): Fault[] {
  const one = [...path, "room"];
  const many = [...path, "rooms"];
  const room = valueAt(raw, one);
  const rooms = valueAt(raw, many);
  if (room === undefined && rooms === undefined) {
    return [faultAt(raw, one, `required: the id of a room${knownRooms(raw, path)}`)];
  }
  if (room !== undefined && rooms !== undefined) {
    return [faultAt(raw, many, "room is given too: keep one of the two")];
  }
  return [...unknownRoom(raw, one), ...unknownRooms(raw, many)];
}

function isPublic(raw: unknown, path: Path): boolean {
  return valueAt(raw, [...path, "token_endpoint_auth_method"]) === "none";
}

function checkClientSecret(raw: unknown, path: Path): Fault[] {
  const secret = [...path, "client_secret"];
  const hasSecret = valueAt(raw, secret) !== undefined;
  const secretless = secretlessReason(valueAt(raw, [...path, "token_endpoint_auth_method"]));
  if (hasSecret === (secretless === null)) return [];
  const message = hasSecret
    ? `${secretless}: leave one of the two out`
    : "required; a public client is declared with token_endpoint_auth_method: none";
  return [faultAt(raw, secret, message)];
}

/** A client that authenticates by a key says which keys are its own, in one way; no other has any use for them. */
function checkClientKeys(raw: unknown, path: Path): Fault[] {
  const [jwks, uri] = [
    [...path, "jwks"],
    [...path, "jwks_uri"],
  ];
  const given = [jwks, uri].filter((place) => valueAt(raw, place) !== undefined);
  if (valueAt(raw, [...path, "token_endpoint_auth_method"]) !== "private_key_jwt") {
    return given.map((place) => faultAt(raw, place, "only with token_endpoint_auth_method: private_key_jwt"));
  }
  if (given.length === 0) return [faultAt(raw, jwks, "required: the client's public keys, or jwks_uri")];
  return given.length === 2 ? [faultAt(raw, uri, "jwks is given too: keep one of the two")] : [];
}

function checkPkce(raw: unknown, path: Path): Fault[] {
  const pkce = [...path, "require_pkce"];
  return isPublic(raw, path) && valueAt(raw, pkce) === false
    ? [faultAt(raw, pkce, "a public client always needs PKCE: leave it out, or write true")]
    : [];
}

function checkPushedRequests(raw: unknown, path: Path): Fault[] {
  const pushes = [...path, "require_pushed_authorization_requests"];
  return isPublic(raw, path) && valueAt(raw, pushes) === true
    ? [
        faultAt(
          raw,
          pushes,
          "a public client cannot push its requests, since it cannot prove whose they are: leave it out",
        ),
      ]
    : [];
}

function repeatedItems(raw: unknown, list: Path): Fault[] {
  const seen = new Set<unknown>();
  return indexesAt(raw, list).flatMap((index) => {
    const item = valueAt(raw, [...list, index]);
    if (seen.has(item)) return [faultAt(raw, [...list, index], "is named twice: keep one of the two")];
    seen.add(item);
    return [];
  });
}

function checkRestarts(raw: unknown, path: Path): Fault[] {
  const uris = valueAt(raw, [...path, "initiate_login_uris"]);
  const one = valueAt(raw, [...path, "room"]);
  const many = valueAt(raw, [...path, "rooms"]);
  const rooms = (Array.isArray(many) ? many : [one]).filter((room) => typeof room === "string");
  if (typeof uris !== "object" || uris === null || Array.isArray(uris) || rooms.length === 0) {
    return [];
  }
  return Object.keys(uris)
    .filter((room) => !rooms.includes(room))
    .map((room, index) => {
      const kind = "room of this client";
      const message = index < searchedMax ? unknownWord(kind, room, rooms) : `unknown ${kind}`;
      return faultAt(raw, [...path, "initiate_login_uris", room], message);
    });
}

function checkThirdPartyLogin(raw: unknown, path: Path): Fault[] {
  if (valueAt(raw, [...path, "third_party_login"]) !== true) {
    return [];
  }
  const uri = [...path, "initiate_login_uri"];
  const uris = [...path, "initiate_login_uris"];
  const byRoom = valueAt(raw, uris);
  const places = [
    uri,
    ...Object.keys(typeof byRoom === "object" && byRoom ? byRoom : {}).map((room) => [...uris, room]),
  ];
  const profile = valueAt(raw, [...path, "profile"]);
  const isKnown = typeof profile === "string" && Object.hasOwn(PROFILES, profile);
  const isAtRedirectUri = isKnown && PROFILES[profile as keyof typeof PROFILES].restart.takesThirdPartyLogin;
  return [
    ...(valueAt(raw, uri) === undefined && !isAtRedirectUri
      ? [faultAt(raw, uri, "required: where the site takes third-party-initiated logins")]
      : []),
    ...places.flatMap((place) => {
      const value = valueAt(raw, place);
      if (typeof value !== "string") return [];
      const isDouble = value.includes(TARGET_PLACEHOLDER) || namesOwnParameter(value);
      return [
        ...(isDouble ? [faultAt(raw, place, "third_party_login adds iss and target_link_uri: leave them out")] : []),
        ...(value.includes("#") ? [faultAt(raw, place, "third_party_login adds to the query: leave #… out")] : []),
      ];
    }),
  ];
}

function namesOwnParameter(uri: string): boolean {
  const query = new URLSearchParams(uri.replace(/^[^?]*/, ""));
  return query.has("iss") || query.has("target_link_uri");
}

function checkClaims(raw: unknown, path: Path): Fault[] {
  const claims = valueAt(raw, [...path, "claims"]);
  const isAlone = Array.isArray(claims) && claims.includes("email_verified") && !claims.includes("email");
  return isAlone ? [faultAt(raw, [...path, "claims"], "email_verified says nothing without email: name both")] : [];
}

function checkBackchannelLogout(raw: unknown, path: Path): Fault[] {
  const uri = [...path, "backchannel_logout_uri"];
  const isMissing = valueAt(raw, uri) === undefined;
  return isMissing && valueAt(raw, [...path, "backchannel_logout_session_required"]) !== undefined
    ? [faultAt(raw, uri, "required beside backchannel_logout_session_required: where the site is notified of logouts")]
    : [];
}
