/** The environment variables that win over the file. */
import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { z } from "zod";
import { redisUrlFault } from "../lib/redis-url.ts";
import { environmentValue, strayAround } from "../lib/value-shape.ts";
import { describeUrl, describeValue, type Fault } from "./checks/faults.ts";
import { issuerFault } from "./checks/urls.ts";
import type { AdminKey } from "./config.ts";
import { LOG_LEVELS } from "./schema/choices.ts";
import { oneOf } from "./schema/fields.ts";
import type { Environment } from "./secrets/secret-source.ts";

export const DEFAULT_PORT = 3_000;
const DEFAULT_DEMO_PORT = 3_001;
/** The name under which the key in USHER_ADMIN_API_KEY appears. */
export const ENV_ADMIN_KEY_ID = "env";
const ADMIN_KEY_LENGTH_MIN = 16;

/** What the environment says; null where it says nothing. */
export type Overrides = ReturnType<typeof readEnvironment>["overrides"];

/** Reads the variables; those with faults appear as not set. An empty variable counts as not set. */
export function readEnvironment(env: Environment) {
  const faults: Fault[] = [];
  function read<T>(name: string, schema: z.ZodType<T>, describe: (text: string) => string = describeValue): T | null {
    const text = environmentValue(env, name);
    if (text === "") return null;
    const stray = strayAround(text);
    if (stray !== null) {
      faults.push({ path: name, value: null, message: `the value ${stray}` });
      return null;
    }
    const { data, error } = schema.safeParse(text);
    for (const { message } of error?.issues ?? []) faults.push({ path: name, value: describe(text), message });
    return data ?? null;
  }
  const overrides = {
    port: read("PORT", port(0)),
    demoPort: read("USHER_DEMO_PORT", port(1)) ?? DEFAULT_DEMO_PORT,
    issuer: read("USHER_ISSUER", textWithout(issuerFault)),
    redisUrl: read("USHER_REDIS_URL", textWithout(redisUrlFault), describeUrl),
    adminKey: read("USHER_ADMIN_API_KEY", adminKey, () => "(hidden)"),
    secretsFile: read(
      "USHER_SECRETS_FILE",
      z.string().transform((path) => resolve(path)),
    ),
    logLevel: read("USHER_LOG_LEVEL", oneOf("log level", LOG_LEVELS)),
  };
  return { overrides, faults };
}

// The characters of a bearer token (RFC 6750, section 2.1): no other can arrive in a header.
const adminKey = z
  .string()
  .refine((key) => key.length >= ADMIN_KEY_LENGTH_MIN && /^[A-Za-z0-9\-._~+/]+=*$/.test(key), {
    error: `expected at least ${ADMIN_KEY_LENGTH_MIN} letters, digits and -._~+/ (openssl rand -hex 32 makes them)`,
  })
  .transform((key): AdminKey => {
    return { id: ENV_ADMIN_KEY_ID, keySha256: createHash("sha256").update(key).digest("hex") };
  });

function port(min: number) {
  const error = `expected a port, a whole number from ${min} to 65535`;
  const digits = z.string().regex(/^\d{1,5}$/, { error, abort: true });
  return digits.transform(Number).refine((number) => number >= min && number <= 65_535, { error });
}

function textWithout(findFault: (text: string) => string | null) {
  return z.string().superRefine((text, context) => {
    const fault = findFault(text);
    if (fault !== null) context.addIssue({ code: "custom", message: fault });
  });
}
