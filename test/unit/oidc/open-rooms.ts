/** What a gate has for keys and sign-ins, where every room is open to everybody. */
import type { Clock } from "../../../src/lib/clock.ts";
import { createDevices, createIdentities, createKeyedEntries, createVisitorCookies } from "../../../src/oidc/index.ts";
import { createIssuerKeys } from "../../../src/registry/index.ts";
import { createVisitorKeys } from "../../../src/room/index.ts";
import type { KeyRing } from "../../../src/room/tickets/key-ring.ts";

export function openRooms(issuer: string, clock: Clock, ring: KeyRing) {
  const directory = { all: [], get: () => undefined, onChange: () => undefined };
  const cookies = createVisitorCookies(true);
  const keyedEntries = createKeyedEntries({ issuer, directory, cookies, visitorKeys: createVisitorKeys(ring), clock });
  const keys = createIssuerKeys({ signing: [], cookies: [], tickets: [], draw: [] });
  const logger = { warn: () => undefined };
  return {
    directory,
    keyedEntries,
    devices: createDevices({ issuer, ring, cookies, clock }),
    identities: createIdentities({
      ...{ issuer, keys, directory, cookies, keyedEntries, clock, logger },
      cookieBound: () => null,
    }),
  };
}
