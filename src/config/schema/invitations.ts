/** How a room is entered by invitation: who signs the invitations, and their classes. Settings of the file that no live change reaches. */
import { z } from "zod";
import { backchannelUriFault } from "../checks/urls.ts";
import { checked, list, mapping, oneOf, text, time } from "./fields.ts";
import { keySet } from "./key-set.ts";
import { type Settings, withKind } from "./settings-codec.ts";

/** A place where a secret stands; resolved and checked in secrets/, which has the sources. */
export const writtenSecret = withKind(z.unknown(), {
  json: {
    type: ["string", "object"],
    required: ["from"],
    properties: Object.fromEntries(
      ["from", "name", "path", "secret_id", "key", "region", "endpoint", "version_stage"].map((key) => [
        key,
        { type: "string" },
      ]),
    ),
    additionalProperties: false,
    $comment: "a secret",
  },
});

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
