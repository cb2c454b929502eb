/** What operators and those who help them have: sessions, links, the audit, and the routes of all that. */

import type { UsherConfig } from "../config/index.ts";
import type { FailedAttempts } from "../lib/address-buckets.ts";
import type { Random } from "../lib/clock-and-random.ts";
import type { Logger } from "../lib/logger.ts";
import { type AuditLog, createAuditLog, restoredAuditFile } from "../operate/audit/index.ts";
import {
  type AdminRoutesOptions,
  adminRoutes,
  consoleRoutes,
  createCompany,
  createConfirmations,
  createDebugLinks,
  createFourEyes,
  createLiveFeed,
  createPlainPage,
  createPrincipalBounds,
  createSignIn,
  type DebugPage,
  debugRoutes,
  isRightful,
  logRegistryEvent,
  readConsole,
  signInRoutes,
} from "../operate/index.ts";
import {
  approvalsName,
  createAdminSessions,
  createApprovals,
  createOneTimeLinks,
  oneTimeLinkModel,
  registryFileBeside,
  sessionsName,
} from "../registry/index.ts";
import type { Store } from "../store/contract/store.ts";

type BuiltHere =
  | "fourEyes"
  | "confirmations"
  | "bounds"
  | "sessions"
  | "browsers"
  | "debugLinks"
  | "live"
  | "random"
  | "clock"
  | "failures";

/** @param store of what belongs to no room */
export function createAudit(
  { secretsFile }: UsherConfig,
  {
    store,
    random,
    logger,
  }: { readonly store: Pick<Store, "audit" | "clock">; readonly random: Random; readonly logger: Logger },
): AuditLog {
  const { audit, clock } = store;
  return createAuditLog({ store: audit, clock, random, logger, restoredFile: restoredAuditFile(secretsFile) });
}

export function createOperators(
  { admin, secretsFile }: UsherConfig,
  options: Omit<AdminRoutesOptions, BuiltHere> & {
    readonly store: Pick<Store, "documents" | "watchers" | "clock" | "oidcAdapter">;
    readonly audit: AuditLog;
    readonly viewsDir: string;
    /** Of the build. */
    readonly consoleDir: string;
    readonly failures: FailedAttempts;
    readonly random: Random;
    readonly logger: Logger;
  },
) {
  const { store, viewsDir, consoleDir, logger, ...parts } = options;
  const { adminKeys, audit, rooms, failures, random } = parts;
  const { clock, documents } = store;
  const sessions = createAdminSessions({
    admin,
    adminKeys,
    documents,
    file: registryFileBeside(secretsFile, sessionsName),
    clock,
    random,
    // Sign-ins and sign-outs are in the audit; the rest is notes of use, every few minutes.
    report: (event) => (event.event === "registry.changed" ? undefined : logRegistryEvent(event, logger)),
  });
  const rights = { adminKeys, sessions, isPeoples: admin.signIn !== null };
  const approvals = createApprovals({
    documents,
    isRightful: (step) => isRightful(step, rights),
    file: registryFileBeside(secretsFile, approvalsName),
    clock,
    random,
    report: (event) => (event.event === "registry.changed" ? undefined : logRegistryEvent(event, logger)),
  });
  const fourEyes = createFourEyes({ ...rights, steps: admin.fourEyes, approvals, grants: [adminKeys, sessions] });
  const links = createOneTimeLinks(store.oidcAdapter(oneTimeLinkModel), clock, random);
  const bounds = createPrincipalBounds(clock);
  const confirmations = createConfirmations(links, bounds);
  const debugLinks = createDebugLinks(links, admin.url);
  const debugPage = createPlainPage<DebugPage>(viewsDir, "debug-link.ejs");
  const signIn = createSignIn(admin, { adminKeys, sessions, links, viewsDir, clock });
  const { browsers, link } = signIn;
  // Names this process, and none that ran before.
  const processId = random.bytes(9).toString("base64url");
  const company = createCompany((text, leaseMs) => store.watchers.exchange(processId, text, leaseMs));
  const live = createLiveFeed({ rooms, clock, fourEyes, company });
  return {
    /** What follows changes at run time. */
    registries: admin.fourEyes.length === 0 ? [sessions] : [sessions, approvals],
    live,
    announceLink: link.announce,
    routes: [
      signInRoutes({ ...signIn, audit, adminKeys, failures }).routes(),
      debugRoutes({ audit, failures, rooms, debugLinks, debugPage }).routes(),
      adminRoutes({
        ...parts,
        fourEyes,
        confirmations,
        bounds,
        sessions,
        browsers,
        debugLinks,
        live,
        clock,
      }).routes(),
      consoleRoutes({ console: readConsole(consoleDir), browsers, failures }).routes(),
    ],
  };
}
