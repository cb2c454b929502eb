import type { UsherConfig } from "./config/index.ts";
import { logRegistryEvent, rulesHash } from "./http/index.ts";
import type { Logger } from "./lib/logger.ts";
import type { Random } from "./lib/random.ts";
import {
  type AdminKeys,
  type AdminSessions,
  createAdminSessions,
  registryFileBeside,
  sessionsName,
} from "./registry/index.ts";
import type { Store } from "./store/contract/store.ts";

export interface PeopleParts {
  readonly adminKeys: AdminKeys;
  readonly store: Store;
  readonly random: Random;
  readonly logger: Logger;
}

/** The sessions of people who operate with a browser. */
export function createPeople({ admin, secretsFile }: UsherConfig, parts: PeopleParts): AdminSessions {
  const { adminKeys, store, random, logger } = parts;
  const { signIn, session } = admin;
  return createAdminSessions({
    adminKeys,
    rules: signIn && rulesHash(signIn),
    ...session,
    documents: store.documents,
    file: registryFileBeside(secretsFile, sessionsName),
    clock: store.clock,
    random,
    // Sign-ins and sign-outs are in the audit; the rest is notes of use, every few minutes.
    report: (event) => (event.event === "registry.changed" ? undefined : logRegistryEvent(event, logger)),
  });
}
