import type { Client, KoaContextWithOIDC } from "oidc-provider";
import { expect, test } from "vitest";
import { createIntrospectionPolicy } from "../../../../src/oidc/provider/admission-policy.ts";
import type { ClientDirectory } from "../../../../src/registry/index.ts";
import type { Admission, WaitingRooms } from "../../../../src/room/index.ts";

const admittedSec = 1_000_000;

/** The room of one visitor, whose present admission began at `admittedSec`. */
const rooms = {
  ofVisitor: (sub: string) =>
    sub === "visitor"
      ? {
          id: "tickets",
          admissions: { find: async () => ({ admittedMs: admittedSec * 1_000, ended: null }) as Admission },
        }
      : undefined,
} as unknown as WaitingRooms;

// Usher tells them apart by whole seconds, so nobody wants to wait for it over HTTP.
test.each([
  ["is active under the admission that it came of", "visitor", admittedSec, "tickets", true],
  ["is not active under the visitor's next admission", "visitor", admittedSec - 1, "tickets", false],
  ["is not active where the room is gone", "nobody", admittedSec, "tickets", false],
  ["is not active where the room was taken off its client", "visitor", admittedSec, "checkout", false],
])("a refresh token %s", async (_, accountId, authTime, room, expected) => {
  const clients = { get: () => ({ rooms: [room] }) } as unknown as ClientDirectory;
  const token = { kind: "RefreshToken", clientId: "shop", accountId, authTime };
  const isTold = createIntrospectionPolicy(rooms, clients);
  expect(await isTold({} as KoaContextWithOIDC, { clientId: "shop" } as Client, token)).toBe(expected);
});
