/** How visitors of a room sign in at the organisation's OpenID Connect provider. Settings of the file that no live change reaches. */
import type { z } from "zod";
import { providerFault } from "../checks/urls.ts";
import { checked, list, mapping, oneOf, text } from "./fields.ts";
import { writtenSecret } from "./invitations.ts";
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
