/** What a gate has where every room is open to everybody. */
import type { Clock } from "../../../src/lib/clock-and-random.ts";
import { createIdentities, createKeyedEntries, createVisitorCookies, type GateSteps } from "../../../src/oidc/index.ts";
import { createIssuerKeys } from "../../../src/registry/index.ts";
import { createVisitorKeys } from "../../../src/room/index.ts";
import type { KeyRing } from "../../../src/room/tickets/ticket.ts";

/** No feature stands before anything. */
export const noSteps: GateSteps = {
  beforeVisit: [],
  beforeJoin: [],
  beforeClaim: [],
  beforeLogin: [],
  identify: () => ({ name: undefined }),
};

export function openRooms(issuer: string, clock: Clock, ring: KeyRing) {
  const directory = { all: [], get: () => undefined, onChange: () => undefined };
  const cookies = createVisitorCookies(true);
  const keyedEntries = createKeyedEntries({ issuer, directory, cookies, visitorKeys: createVisitorKeys(ring), clock });
  const keys = createIssuerKeys({ signing: [], cookies: [], tickets: [], draw: [] });
  const logger = { warn: () => undefined };
  return {
    directory,
    steps: noSteps,
    identities: createIdentities({
      issuer,
      keys,
      directory,
      cookies,
      keyedEntries,
      clock,
      logger,
      cookieBound: () => null,
    }),
  };
}
