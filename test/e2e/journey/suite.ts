import { describe } from "vitest";
import { type RoomUnderTest, type StoreUnderTest, useWorld, type World } from "../world.ts";
import { claimingRooms, describeClaiming } from "./claiming.ts";
import { codesRooms, describeCodes } from "./codes.ts";
import { describeLeaving, leavingRooms } from "./leaving.ts";
import { describeLogin, loginRooms } from "./login.ts";
import { describeLogout, logoutRooms } from "./logout.ts";
import { describePhases, phasesRooms } from "./phases.ts";
import { describeRequests, requestsRooms } from "./requests.ts";
import { describeRestart, restartRooms } from "./restart.ts";
import { describeRooms, roomsRooms } from "./rooms.ts";
import { describeSessions, sessionsRooms } from "./sessions.ts";
import { describeSilentLogins, silentRooms } from "./silent.ts";

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
} satisfies Record<string, Part>;
type PartName = keyof typeof parts;

/** @param names default: all of them */
export function describeJourney(store: StoreUnderTest, names = Object.keys(parts) as PartName[]): void {
  describe(`a visitor's journey, ${store.name}`, () => {
    const world = useWorld(() => ({ store, rooms: names.flatMap((name): RoomUnderTest[] => parts[name].rooms) }));
    for (const name of names) describe(name, () => parts[name].tests(world));
  });
}
