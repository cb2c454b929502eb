/** `beacon` of a configuration file: where public random numbers come from. */
import {
  checked,
  duration,
  healthUrlFault,
  list,
  mapping,
  readSettings,
  settingsPart,
  text,
  wholeNumber,
} from "../../config/index.ts";

const schema = mapping({
  urls: list(checked("an http or https URL", healthUrlFault), 10, 1)
    .nullish()
    .meta({ description: "mirrors", fallback: "those of the League of Entropy" }),
  timeout: duration(100, 10_000).prefault("3s").describe("how long an answer may take"),
  chain: mapping({
    hash: text("the hash of a drand chain, 64 lower-case hexadecimal digits", 64, /^[0-9a-f]{64}$/).describe(
      "the hash of the chain, 64 lower-case hexadecimal digits",
    ),
    public_key: text(
      "the public key of a drand chain, 192 lower-case hexadecimal digits",
      192,
      /^[0-9a-f]{192}$/,
    ).describe("the public key of the chain, 192 lower-case hexadecimal digits"),
    genesis: wholeNumber(0, 10_000_000_000).describe("the time of its first round, in seconds since 1970"),
    period: wholeNumber(1, 3_600).describe("seconds from one round to the next"),
  })
    .nullish()
    .meta({ description: "another drand network", fallback: "quicknet" }),
})
  .prefault({})
  .describe("public random numbers [of draws](draw.md), for rooms with `draw.beacon: drand`");

/** Where the file says nothing, the League of Entropy's quicknet. */
export const beaconSettings = settingsPart({ key: "beacon", schema, read: (written) => readSettings(schema, written) });
