/** The environment variables that win over the file. */
import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { redisUrlFault } from "../../lib/redis-url.ts";
import { ENV_ADMIN_KEY_ID } from "../checks/cross-checks.ts";
import { describeUrl, describeValue, type Fault } from "../checks/faults.ts";
import { issuerFault } from "../checks/urls.ts";
import { unknownWord } from "../checks/words.ts";
import { LOG_LEVELS, type LogLevel } from "../schema/choices.ts";
import type { Environment } from "../secrets/secret-source.ts";
import type { AdminKey, StoreConfig } from "./config.ts";

export const DEFAULT_PORT = 3_000;
const DEFAULT_DEMO_PORT = 3_001;
const ADMIN_KEY_LENGTH_MIN = 16;

/** What the environment says; null where it says nothing. */
export interface Overrides {
  readonly port: number | null;
  readonly demoPort: number;
  readonly issuer: string | null;
  readonly store: StoreConfig | null;
  readonly adminKey: AdminKey | null;
  readonly secretsFile: string | null;
  readonly logLevel: LogLevel | null;
}

/** Reads the variables; those with faults appear as not set. An empty variable counts as not set. */
export function readEnvironment(env: Environment): { overrides: Overrides; faults: Fault[] } {
  const faults: Fault[] = [];
  /** Reads one variable; `read` answers the value, or throws the text of the fault. */
  function variable<T>(
    name: string,
    describe: (text: string) => string,
    read: (text: string) => T | Refusal,
  ): T | null {
    const text = env[name] ?? "";
    const value = text === "" ? null : read(text);
    if (value instanceof Refusal) {
      faults.push({ path: name, value: describe(text), message: value.message });
      return null;
    }
    return value;
  }
  const overrides: Overrides = {
    port: variable("PORT", describeValue, (text) => readPort(text, 0)),
    demoPort: variable("USHER_DEMO_PORT", describeValue, (text) => readPort(text, 1)) ?? DEFAULT_DEMO_PORT,
    issuer: variable("USHER_ISSUER", describeValue, (text) => refuse(issuerFault(text)) ?? text),
    store: variable("USHER_REDIS_URL", describeUrl, (url) => refuse(redisUrlFault(url)) ?? { type: "redis", url }),
    adminKey: variable("USHER_ADMIN_API_KEY", () => "(hidden)", readAdminKey),
    secretsFile: variable("USHER_SECRETS_FILE", describeValue, (path) => resolve(path)),
    logLevel: variable("USHER_LOG_LEVEL", describeValue, readLogLevel),
  };
  return { overrides, faults };
}

class Refusal {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

function refuse(fault: string | null): Refusal | null {
  return fault === null ? null : new Refusal(fault);
}

function readPort(text: string, min: number): number | Refusal {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : -1;
  return port >= min && port <= 65_535 ? port : new Refusal(`expected a port, a whole number from ${min} to 65535`);
}

function readAdminKey(key: string): AdminKey | Refusal {
  // The characters of a bearer token (RFC 6750, section 2.1): no other can arrive in a header.
  if (key.length < ADMIN_KEY_LENGTH_MIN || !/^[A-Za-z0-9\-._~+/]+=*$/.test(key)) {
    return new Refusal(
      `expected at least ${ADMIN_KEY_LENGTH_MIN} letters, digits and -._~+/ (openssl rand -hex 32 makes them)`,
    );
  }
  return { id: ENV_ADMIN_KEY_ID, sha256: createHash("sha256").update(key).digest("hex"), rooms: null };
}

function readLogLevel(text: string): LogLevel | Refusal {
  const level = LOG_LEVELS.find((candidate) => candidate === text);
  return level ?? new Refusal(unknownWord("log level", text, LOG_LEVELS));
}
