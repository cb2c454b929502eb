import type { ClientConfig, RoomConfig } from "../../config/index.ts";
import { createLoginStart } from "../../oidc/index.ts";
import { createTargets } from "./targets.ts";

/** Where a visitor who bypassed the queue continues: at a login, or at an address with an admission token. */
export interface Continuation {
  readonly by: "login" | "token";
  readonly address: string;
}

/** Of one issuer. */
export interface Continuations {
  /** As the room's sites have it; null where the room has neither a client nor an address of its own. */
  usual(room: string): Continuation | null;
  /** As one of the room's clients has it; null for any other. */
  ofClient(room: string, clientId: string): Continuation | null;
  /** To a page that one of the room's clients lists, or the room itself; null for any other. */
  to(room: string, target: string): Continuation | null;
}

export interface ContinuationsOptions {
  readonly issuer: string;
  readonly clients: readonly ClientConfig[];
  readonly rooms: readonly Pick<RoomConfig, "id" | "waysIn">[];
}

export function createContinuations({ issuer, clients, rooms }: ContinuationsOptions): Continuations {
  const byRoom = new Map(
    rooms.map(({ id, waysIn }) => {
      const starts = clients
        .filter((client) => client.rooms.includes(id))
        .map((client) => ({ clientId: client.clientId, addressFor: createLoginStart(client, issuer).addressFor }));
      return [id, { starts, targets: createTargets(waysIn.targets) }];
    }),
  );

  function find(room: string, target: string | undefined): Continuation | null {
    const { starts, targets } = byRoom.get(room) ?? { starts: [], targets: createTargets([]) };
    for (const start of starts) {
      const address = start.addressFor(room, target);
      if (address !== null) return { by: "login", address };
    }
    const address = target === undefined ? targets.usual : targets.find(target);
    return address === null ? null : { by: "token", address };
  }

  function ofClient(room: string, clientId: string): Continuation | null {
    const start = byRoom.get(room)?.starts.find((each) => each.clientId === clientId);
    const address = start?.addressFor(room, undefined) ?? null;
    return address === null ? null : { by: "login", address };
  }

  return { usual: (room) => find(room, undefined), ofClient, to: find };
}
