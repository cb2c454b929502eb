import { describe } from "vitest";
import { type RoomUnderTest, type StoreUnderTest, useWorld, type World } from "../world.ts";
import { claimingRooms, describeClaiming } from "./claiming.ts";
import { codesRooms, describeCodes } from "./codes.ts";
import { describeLeaving, leavingRooms } from "./leaving.ts";
import { describeExpiry, describeLogin, expiryRooms, loginRooms } from "./login.ts";
import { describeLogout, logoutRooms } from "./logout.ts";
import { describeOpening, openingRooms } from "./opening.ts";
import { describePhases, phasesRooms } from "./phases.ts";
import { agesRooms, describeAges, describeRequests, requestsRooms } from "./requests.ts";
import { describeForgottenLogins, describeRestart, forgottenRooms, restartRooms } from "./restart.ts";
import { describeRooms, roomsRooms } from "./rooms.ts";
import { describeSessions, describeSliding, sessionsRooms, slidingRooms } from "./sessions.ts";
import { describeSilentAges, describeSilentLogins, silentAgesRooms, silentRooms } from "./silent.ts";

interface Part {
  readonly rooms: RoomUnderTest[];
  readonly tests: (world: () => World) => void;
}

/** What every visitor's way must be, whatever the store. */
const parts = {
  login: { rooms: loginRooms, tests: describeLogin },
  rooms: { rooms: roomsRooms, tests: describeRooms },
  codes: { rooms: codesRooms, tests: describeCodes },
  "authorization requests": { rooms: requestsRooms, tests: describeRequests },
  "login restart": { rooms: restartRooms, tests: describeRestart },
  leaving: { rooms: leavingRooms, tests: describeLeaving },
  logout: { rooms: logoutRooms, tests: describeLogout },
  phases: {
    // Its times count from when it is asked.
    get rooms() {
      return phasesRooms();
    },
    tests: describePhases,
  },
  sessions: { rooms: sessionsRooms, tests: describeSessions },
  "silent logins": { rooms: silentRooms, tests: describeSilentLogins },
  claiming: { rooms: claimingRooms, tests: describeClaiming },
  // What waits for times to pass.
  expiry: { rooms: expiryRooms, tests: describeExpiry },
  "the age of a login": { rooms: agesRooms, tests: describeAges },
  "the age of a silent login": { rooms: silentAgesRooms, tests: describeSilentAges },
  "logins that were forgotten": { rooms: forgottenRooms, tests: describeForgottenLogins },
  "an opening": { rooms: openingRooms, tests: describeOpening },
  "sliding admissions": { rooms: slidingRooms, tests: describeSliding },
} satisfies Record<string, Part>;
type PartName = keyof typeof parts;

/** @param names default: all of them */
export function describeJourney(store: StoreUnderTest, names = Object.keys(parts) as PartName[]): void {
  describe(`a visitor's journey, ${store.name}`, () => {
    const world = useWorld(() => ({ store, rooms: names.flatMap((name): RoomUnderTest[] => parts[name].rooms) }));
    for (const name of names) describe(name, () => parts[name].tests(world));
  });
}
