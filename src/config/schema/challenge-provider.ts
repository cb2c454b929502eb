/** Providers of challenges, which a room's `check` may name: `challenges[]`. */
import type { z } from "zod";
import { healthUrlFault } from "../checks/urls.ts";
import { checked, duration, mapping, oneOf, text } from "./fields.ts";
import { SECOND_MS } from "./times.ts";

export const PROVIDERS = ["turnstile", "hcaptcha", "recaptcha", "custom"] as const;

export const challengeId = () =>
  text("the id of a challenge, of lower-case letters, digits and hyphens", 32, /^[a-z0-9][a-z0-9-]*$/);

const url = () => checked("an http or https URL", healthUrlFault);

/** @param secret the schema of a place where a secret stands */
export function challengeProvider<Secret extends z.ZodType>(secret: Secret) {
  return mapping({
    id: challengeId(),
    provider: oneOf("provider", PROVIDERS),
    site_key: text("the site key that the provider gave", 256, /^[\x21-\x7e]+$/),
    secret,
    name: text("what visitors read of the provider", 60).optional(),
    verify_url: url().optional(),
    script_url: url().optional(),
    timeout: duration(SECOND_MS / 2, 30 * SECOND_MS).prefault("5s"),
  });
}
