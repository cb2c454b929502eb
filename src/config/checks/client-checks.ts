import { type Path, valueAt } from "../resolve/raw-document.ts";
import { secretlessReason } from "../schema/choices.ts";
import { PROFILE_NAMES, PROFILES } from "../schema/profiles.ts";
import { brokenOf, type Fault, faultAt, type LocalFault, type Rule } from "./faults.ts";
import { entriesAt, repeated } from "./places.ts";
import { knownRooms, unknownRoom, unknownRooms } from "./room-checks.ts";
import { TARGET_PLACEHOLDER } from "./urls.ts";
import { searchedMax, unknownWord } from "./words.ts";

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
  const rules = isInFile ? [...rulesOf(written), ...rulesOfSecrets(written)] : rulesOf(written);
  const one = [...path, "room"];
  const repeatedItems = LISTS.map((list) => entriesAt(raw, [...path, list])).flatMap((items) =>
    repeated(items, (item) => valueAt(raw, item)),
  );
  return [
    ...(room === undefined && rooms === undefined
      ? [faultAt(raw, one, `required: the id of a room${knownRooms(raw, path)}`)]
      : []),
    ...(rooms === undefined ? unknownRoom(raw, one) : []),
    ...(room === undefined ? unknownRooms(raw, [...path, "rooms"]) : []),
    ...repeatedItems.map(([item]) => faultAt(raw, item, "is named twice: keep one of the two")),
    ...[...brokenOf(rules), ...foreignRooms(written), ...doubleParameters(written)].map((fault) =>
      faultAt(raw, [...path, ...fault.path], fault.message),
    ),
  ];
}

function rulesOfSecrets(client: Written): Rule[] {
  const reason = secretlessReason(client.token_endpoint_auth_method);
  const needless = ["client_secret", "previous_client_secret"].map((key): Rule => {
    return [client[key] !== undefined && reason !== null, [key], `${reason}: leave one of the two out`];
  });
  return [
    ...needless,
    [
      client.client_secret === undefined && reason === null,
      ["client_secret"],
      "required; a public client is declared with token_endpoint_auth_method: none",
    ],
  ];
}

function rulesOf(client: Written): Rule[] {
  const { token_endpoint_auth_method: method, jwks, jwks_uri, claims } = client;
  const isPublic = method === "none";
  const provesByKey = method === "private_key_jwt";
  return [
    [client.room !== undefined && client.rooms !== undefined, ["rooms"], "room is given too: keep one of the two"],
    [
      isPublic && client.require_pkce === false,
      ["require_pkce"],
      "a public client always needs PKCE: leave it out, or write true",
    ],
    [
      isPublic && client.require_pushed_authorization_requests === true,
      ["require_pushed_authorization_requests"],
      "a public client cannot push its requests, since it cannot prove whose they are: leave it out",
    ],
    [
      client.third_party_login === true && client.initiate_login_uri === undefined && !isAtRedirectUri(client),
      ["initiate_login_uri"],
      "required: where the site takes third-party-initiated logins",
    ],
    [
      Array.isArray(claims) && claims.includes("email_verified") && !claims.includes("email"),
      ["claims"],
      "email_verified says nothing without email: name both",
    ],
    [
      client.backchannel_logout_uri === undefined && client.backchannel_logout_session_required !== undefined,
      ["backchannel_logout_uri"],
      "required beside backchannel_logout_session_required: where the site is notified of logouts",
    ],
    // A client that authenticates with a key names its keys by exactly one of these. Other clients name none.
    ...["jwks", "jwks_uri"].map((key): Rule => {
      const isUseless = !provesByKey && client[key] !== undefined;
      return [isUseless, [key], "only with token_endpoint_auth_method: private_key_jwt"];
    }),
    [
      provesByKey && jwks === undefined && jwks_uri === undefined,
      ["jwks"],
      "required: the client's public keys, or jwks_uri",
    ],
    [
      provesByKey && jwks !== undefined && jwks_uri !== undefined,
      ["jwks_uri"],
      "jwks is given too: keep one of the two",
    ],
  ];
}

/** Addresses of rooms that are not the client's. */
function foreignRooms({ room, rooms: many, initiate_login_uris: uris }: Written): LocalFault[] {
  const rooms = (Array.isArray(many) ? many : [room]).filter((id) => typeof id === "string");
  if (rooms.length === 0) return [];
  const kind = "room of this client";
  return Object.keys(mappingIn(uris))
    .filter((id) => !rooms.includes(id))
    .map((id, index) => ({
      path: ["initiate_login_uris", id],
      message: index < searchedMax ? unknownWord(kind, id, rooms) : `unknown ${kind}`,
    }));
}

/** Addresses that say themselves what Usher adds to them. */
function doubleParameters(client: Written): LocalFault[] {
  const { third_party_login, initiate_login_uri: uri, initiate_login_uris: uris } = client;
  if (third_party_login !== true) return [];
  const addresses: [Path, unknown][] = [
    [["initiate_login_uri"], uri],
    ...Object.entries(mappingIn(uris)).map(([room, value]): [Path, unknown] => [["initiate_login_uris", room], value]),
  ];
  return addresses.flatMap(([path, value]) => {
    if (typeof value !== "string") return [];
    const isDouble = value.includes(TARGET_PLACEHOLDER) || namesOwnParameter(value);
    return brokenOf([
      [isDouble, path, "third_party_login adds iss and target_link_uri: leave them out"],
      [value.includes("#"), path, "third_party_login adds to the query: leave #… out"],
    ]);
  });
}

/** Empty for what is none. */
function mappingIn(value: unknown): Written {
  return typeof value === "object" && !Array.isArray(value) ? Object(value) : {};
}

function namesOwnParameter(uri: string): boolean {
  const query = new URLSearchParams(uri.replace(/^[^?]*/, ""));
  return query.has("iss") || query.has("target_link_uri");
}

function isAtRedirectUri({ profile }: Written): boolean {
  return PROFILE_NAMES.some((name) => name === profile && PROFILES[name].restart.takesThirdPartyLogin);
}
