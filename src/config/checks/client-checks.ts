import { entriesAt, type Path, repeated, valueAt } from "../raw-document.ts";
import { PROFILE_NAMES, PROFILES, secretlessReason, verifiedAlgs } from "../schema/choices.ts";
import { at, type Fault, faultAt, type LocalFault, searchedMax, unknownWord } from "./faults.ts";
import { listRooms, unknownRoom, unknownRooms } from "./room-checks.ts";
import { TARGET_PLACEHOLDER } from "./urls.ts";

/** The keys of a client, of which nothing has been checked. */
type Written = Readonly<Record<string, unknown>>;

/** Whatever is named twice in one of these was meant to be something else. */
const LISTS = ["rooms", "redirect_uris", "post_logout_redirect_uris", "target_link_uris", "claims", "response_modes"];

/**
 * What a client's own keys say against each other, and rooms that there are none of.
 *
 * @param isInFile outside it, Usher makes the secret
 */
export function checkClient(raw: unknown, path: Path, isInFile = true): Fault[] {
  const client = valueAt(raw, path);
  if (typeof client !== "object") return [];
  const written = mappingIn(client);
  const { room, rooms } = written;
  const one = [...path, "room"];
  const isHomeless = room === undefined && rooms === undefined;
  return [
    ...(isHomeless ? [faultAt(raw, one, `required: the id of a room${listRooms(raw, path)}`)] : []),
    ...(rooms === undefined ? unknownRoom(raw, one) : []),
    ...(room === undefined ? unknownRooms(raw, [...path, "rooms"]) : []),
    ...LISTS.flatMap((list) => repeated(entriesAt(raw, [...path, list]), (item) => valueAt(raw, item))).map(([item]) =>
      faultAt(raw, item, "is named twice: keep one of the two"),
    ),
    ...[...contradictions(written), ...(isInFile ? secretFaults(written) : []), ...addressFaults(written)].map(
      (fault) => faultAt(raw, [...path, ...fault.path], fault.message),
    ),
  ];
}

function* secretFaults(client: Written): Generator<LocalFault> {
  const reason = secretlessReason(client.token_endpoint_auth_method);
  for (const key of ["client_secret", "previous_client_secret"]) {
    if (client[key] !== undefined && reason !== null) yield at(key, `${reason}: leave one of the two out`);
  }
  if (client.client_secret === undefined && reason === null)
    yield at("client_secret", "required; a public client is declared with token_endpoint_auth_method: none");
}

function* contradictions(client: Written): Generator<LocalFault> {
  const { token_endpoint_auth_method: method, jwks, jwks_uri, claims } = client;
  const isPublic = method === "none";
  if (client.room !== undefined && client.rooms !== undefined)
    yield at("rooms", "room is given too: keep one of the two");
  if (isPublic && client.require_pkce === false)
    yield at("require_pkce", "a public client always needs PKCE: leave it out, or write true");
  if (isPublic && client.require_pushed_authorization_requests === true)
    yield at(
      "require_pushed_authorization_requests",
      "a public client cannot push its requests, since it cannot prove whose they are: leave it out",
    );
  const alg = client.id_token_signed_response_alg;
  const verified = verifiedAlgs(client.profile);
  if (alg !== undefined && verified !== null && !verified.some((each) => each === alg))
    yield at(
      "id_token_signed_response_alg",
      `this relying party (profile ${client.profile}) verifies ${verified.join(", ")} alone: leave it out`,
    );
  if (client.third_party_login === true && client.initiate_login_uri === undefined && !isAtRedirectUri(client))
    yield at("initiate_login_uri", "required: where the site takes third-party-initiated logins");
  if (Array.isArray(claims) && claims.includes("email_verified") && !claims.includes("email"))
    yield at("claims", "email_verified says nothing without email: name both");
  if (client.backchannel_logout_uri === undefined && client.backchannel_logout_session_required !== undefined)
    yield at(
      "backchannel_logout_uri",
      "required beside backchannel_logout_session_required: where the site is notified of logouts",
    );
  // A client that authenticates with a key names its keys by exactly one of these. Other clients name none.
  const named = ["jwks", "jwks_uri"].filter((key) => client[key] !== undefined);
  if (method !== "private_key_jwt") {
    for (const key of named) yield at(key, "only with token_endpoint_auth_method: private_key_jwt");
  } else if (jwks === undefined && jwks_uri === undefined) {
    yield at("jwks", "required: the client's public keys, or jwks_uri");
  } else if (named.length > 1) yield at("jwks_uri", "jwks is given too: keep one of the two");
}

/** Addresses of rooms that are not the client's, and those that say themselves what Usher adds to them. */
function* addressFaults(client: Written): Generator<LocalFault> {
  const { room, rooms: many, third_party_login, initiate_login_uri: uri, initiate_login_uris: uris } = client;
  const rooms = (Array.isArray(many) ? many : [room]).filter((id) => typeof id === "string");
  const kind = "room of this client";
  const ofRooms = Object.entries(mappingIn(uris)).map(([id, value]) => [["initiate_login_uris", id], value] as const);
  const foreign = rooms.length === 0 ? [] : ofRooms.filter(([[, id = ""]]) => !rooms.includes(id));
  for (const [index, [path]] of foreign.entries())
    yield { path, message: index < searchedMax ? unknownWord(kind, path[1] ?? "", rooms) : `unknown ${kind}` };
  if (third_party_login !== true) return;
  for (const [path, value] of [[["initiate_login_uri"], uri] as const, ...ofRooms]) {
    if (typeof value !== "string") continue;
    if (value.includes(TARGET_PLACEHOLDER) || namesReservedParameter(value))
      yield { path, message: "third_party_login adds iss and target_link_uri: leave them out" };
    if (value.includes("#")) yield { path, message: "third_party_login adds to the query: leave #… out" };
  }
}

/** Empty for what is none. */
function mappingIn(value: unknown): Written {
  return typeof value === "object" && !Array.isArray(value) ? Object(value) : {};
}

function namesReservedParameter(uri: string): boolean {
  const query = new URLSearchParams(uri.replace(/^[^?]*/, ""));
  return query.has("iss") || query.has("target_link_uri");
}

function isAtRedirectUri({ profile }: Written): boolean {
  return PROFILE_NAMES.some((name) => name === profile && PROFILES[name].restart.takesThirdPartyLogin);
}
