/** What a schema can't see in how visitors of a room sign in. Goes by the raw document. */
import { type Path, valueAt } from "../resolve/raw-document.ts";
import { type Fault, faultAt } from "./faults.ts";
import { entriesAt, issuerPaths, repeated } from "./places.ts";

/**
 * Claims that say what Usher says, or what a token is: RFC 7519, OpenID Connect Core 1.0, RFC 7800, RFC 9068, and Usher's own. A
 * provider's would contradict them.
 */
export const RESERVED_CLAIMS: readonly string[] = [
  ...["iss", "sub", "aud", "exp", "nbf", "iat", "jti", "azp", "nonce", "auth_time", "acr", "amr", "sid", "events"],
  ...["at_hash", "c_hash", "s_hash", "sub_jwk", "cnf", "client_id", "scope", "act", "may_act"],
  ...["_claim_names", "_claim_sources", "__proto__"],
  ...["room", "queue_position", "admitted_via", "admitted_at", "admitted_until"],
];

export function checkIdentity(raw: unknown, room: Path): Fault[] {
  const path = [...room, "identity"];
  const written = valueAt(raw, path) ?? null;
  if (written === null) return [];
  const isInvited = valueAt(raw, [...room, "entry"]) === "invited";
  const moves = valueAt(raw, [...room, "moves"]) ?? "never";
  const issuer = valueAt(raw, [...path, "issuer"]);
  const isOwn = issuerPaths(raw).some((each) => valueAt(raw, [...each, "issuer"]) === issuer);
  const claims = entriesAt(raw, [...path, "claims"]);
  return [
    ...(isInvited
      ? [faultAt(raw, path, "not with entry: invited: who joins is known by one of them, so keep one of them")]
      : []),
    ...(moves === "never"
      ? []
      : [
          faultAt(
            raw,
            [...room, "moves"],
            "not with identity, where the same person has the same place in each browser: leave it out",
          ),
        ]),
    ...(isOwn && issuer !== undefined
      ? [faultAt(raw, [...path, "issuer"], "is Usher itself: name the provider of your organisation")]
      : []),
    ...claims.flatMap((each) => {
      const name = valueAt(raw, each);
      return typeof name === "string" && RESERVED_CLAIMS.includes(name)
        ? [faultAt(raw, each, "is a claim that Usher sets itself, or that says what a token is: leave it out")]
        : [];
    }),
    ...repeated(claims, (each) => valueAt(raw, each)).map(([each]) =>
      faultAt(raw, each, "is in the list already: leave it out"),
    ),
  ];
}
