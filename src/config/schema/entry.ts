/**
 * How a room is entered: after a sign-in at the organisation's OpenID Connect provider, or by invitation. Settings of the file that no
 * live change reaches.
 */
import type { z } from "zod";
import { backchannelUriFault, providerFault } from "../checks/urls.ts";
import { checked, keySet, list, mapping, oneOf, text, time, writtenSecret } from "./fields.ts";
import type { Settings } from "./settings-codec.ts";

/** The ways in which a client with a secret authenticates (OpenID Connect Core 1.0, section 9). */
const authMethods = ["client_secret_basic", "client_secret_post"] as const;

/**
 * A provider, and what it knows Usher by.
 *
 * @param who signs in there
 * @param secret as it stands in the file
 */
export const providerClient = <Secret extends z.ZodType>(who: string, secret: Secret) => ({
  issuer: checked(`the issuer of the provider that ${who} sign in at`, providerFault),
  client_id: text("a client id of printable ASCII characters", 256, /^[\x21-\x7e]+$/),
  client_secret: secret,
  token_endpoint_auth_method: oneOf("method", authMethods).default("client_secret_basic"),
  scopes: list(text("a scope", 64, /^[\x21\x23-\x5b\x5d-\x7e]+$/), 20).default(["openid", "profile", "email"]),
});

export const identity = mapping({
  ...providerClient("visitors", writtenSecret.optional()),
  claims: list(text("the name of a claim, such as email or groups", 128, /^[\x21\x23-\x5b\x5d-\x7e]+$/), 20).default(
    [],
  ),
});

/** Without the secret, which is in secrets/. */
export const identitySettings = identity.omit({ client_secret: true });

/** Where visitors of a room sign in, and what of them goes on to its sites. */
export type IdentityConfig = Settings<z.output<typeof identitySettings>> & { readonly clientSecret: string };

export const ENTRIES = ["open", "invited"] as const;
export const entry = oneOf("way to enter", ENTRIES).default("open");

export const invitationClass = mapping({
  id: text("the name of a class, of lower-case letters, digits and hyphens", 32, /^[a-z0-9][a-z0-9-]*$/),
  opens_at: time().nullish(),
});

export const invitations = mapping({
  secret: writtenSecret.optional(),
  jwks: keySet.optional(),
  jwks_uri: checked("an absolute URL", backchannelUriFault).optional(),
  issuer: text("whom invitations say that they are of (iss)", 255).optional(),
  subjects: oneOf("way to compare subjects", ["exact", "email"]).default("exact"),
  classes: list(invitationClass, 20).default([]),
});

/** Without the secret, which is in secrets/, and the classes, which are read one by one. */
export const invitationSettings = invitations.omit({ secret: true, classes: true });

/** Who signs the invitations of a room, and when each class may join. */
export type InvitationsConfig = Settings<z.output<typeof invitationSettings>> & {
  readonly classes: readonly Settings<z.output<typeof invitationClass>>[];
  /** By any of them; the one in force first. Empty where invitations are signed with a private key. */
  readonly secrets: readonly string[];
};
