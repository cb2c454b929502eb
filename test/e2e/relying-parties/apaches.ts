import { afterAll, beforeAll } from "vitest";
import { type Apache, apacheUris, startApache } from "../../support/apache.ts";
import { freePorts } from "../../support/ports.ts";
import { clientId, clientSecret, memoryStore, type RoomUnderTest, startWorld, type World } from "../world.ts";

type Uris = ReturnType<typeof apacheUris>;

export interface ApacheUnderTest {
  readonly room: string;
  /** Laid over the client of the profile. */
  client?(uris: Uris): Record<string, unknown>;
  /** In its configuration. */
  extraLines?(uris: Uris): readonly string[];
  readonly stateTimeoutSec?: number;
}

/** Starts a gateway, and for each room an Apache with mod_auth_openidc, before the tests of a `describe`. */
export function useApaches(sites: readonly ApacheUnderTest[]) {
  const apaches = new Map<string, Apache>();
  let world: World | undefined;

  beforeAll(async () => {
    const ports = await freePorts(sites.length);
    const at = (index: number) => apacheUris(ports[index] ?? 0);
    const rooms = sites.map(({ room, client }, index): RoomUnderTest => {
      const uris = at(index);
      const usual = {
        profile: "apache",
        redirect_uris: [uris.redirectUri],
        post_logout_redirect_uris: [uris.loggedOutUri],
        initiate_login_uri: `${uris.origin}/`,
      };
      return { id: room, client: { ...usual, ...client?.(uris) } };
    });
    world = await startWorld({ store: memoryStore, rooms });
    for (const [index, { room, extraLines, stateTimeoutSec }] of sites.entries()) {
      const own = { issuer: world.issuer, clientId: clientId(room), clientSecret: clientSecret(room) };
      const memory = stateTimeoutSec === undefined ? {} : { stateTimeoutSec };
      const lines = extraLines?.(at(index)) ?? [];
      apaches.set(room, await startApache({ ...own, ...memory, extraLines: lines, port: ports[index] ?? 0 }));
    }
  });
  afterAll(async () => {
    await world?.stop();
    await Promise.all([...apaches.values()].map((apache) => apache.stop()));
  });

  return {
    world(): World {
      if (world === undefined) throw new Error("the world has not been started");
      return world;
    },
    apache(room: string): Apache {
      const found = apaches.get(room);
      if (found === undefined) throw new Error(`no Apache for ${room}`);
      return found;
    },
  };
}
