/** Where an installation keeps what it must not lose: one store, and beside it stores by name, in which rooms may be. */
import { z } from "zod";
import { mapping, text } from "./fields.ts";
import { writtenSecret } from "./invitations.ts";

const STORES_MAX = 20;
/** Of the keys of a store that says nothing else. */
export const defaultKeyPrefix = "usher:";
const redis = mapping({
  type: z.literal("redis"),
  url: writtenSecret.optional(),
  // No colon within: then no key of one prefix can be that of another. No brace: those around a room's name are a Cluster's hash tag.
  prefix: text("letters, digits, full stops, underscores and hyphens", 64, /^[A-Za-z0-9][\w.-]*:?$/)
    .transform((prefix) => (prefix.endsWith(":") ? prefix : `${prefix}:`))
    .default(defaultKeyPrefix),
});

export const store = z.discriminatedUnion(
  "type",
  [
    mapping({
      type: z.literal("memory"),
    }),
    redis,
  ],
  { error: "expected { type: memory } or { type: redis, url: … }" },
);

const namedStore = z.discriminatedUnion("type", [redis], { error: "expected { type: redis, url: … }" });

/** Those that a room may name. Their names are checked in store-checks.ts, whatever else is wrong with them. */
export const namedStores = z
  .record(z.string(), namedStore, { error: "expected stores by name, such as { b: { type: redis, url: … } }" })
  .superRefine((byName, context) => {
    const names = Object.keys(byName);
    if (names.length > STORES_MAX) {
      context.addIssue({ code: "custom", message: `expected at most ${STORES_MAX} stores` });
    }
  });
