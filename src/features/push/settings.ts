/** `push` of a configuration file: which push services there are, and how they reach the operator. */
import { list, mapping, readSettings, settingsPart, text } from "../../config/index.ts";

/** Hosts of the push services of Chrome and Edge, Firefox, Safari, and Windows. */
const usualServices = ["fcm.googleapis.com", "*.push.services.mozilla.com", "*.push.apple.com", "*.notify.windows.com"];
const service = text(
  "a host name such as fcm.googleapis.com, or *.push.apple.com for all hosts below it",
  255,
  /^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/,
);
const schema = mapping({
  services: list(service, 100, 1)
    .default(usualServices)
    .describe(
      "hosts of push services, `*.` for all hosts below one; nothing is sent elsewhere. An entry with a port of this machine needs no https",
    ),
  contact: text("a mailto: or https: address", 255, /^(mailto:[\x21-\x7e]+@[\x21-\x7e]+|https:\/\/[\x21-\x7e]+)$/)
    .optional()
    .meta({
      description: "how the operators of push services reach you: `mailto:` or `https:`",
      fallback: "the issuer",
    }),
})
  .prefault({})
  .describe("[notifications](push.md) of rooms with `push: true`");

export const pushSettings = settingsPart({ key: "push", schema, read: (written) => readSettings(schema, written) });
