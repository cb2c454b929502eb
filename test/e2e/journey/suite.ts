import { describe } from "vitest";
import { type StoreUnderTest, useWorld } from "../world.ts";
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

/** What every visitor's way must be, whatever the store. */
export function describeJourney(store: StoreUnderTest): void {
  describe(`a visitor's journey, ${store.name}`, () => {
    const rooms = [
      ...loginRooms,
      ...roomsRooms,
      ...codesRooms,
      ...requestsRooms,
      ...restartRooms,
      ...leavingRooms,
      ...logoutRooms,
      ...phasesRooms(),
      ...sessionsRooms,
      ...claimingRooms,
      ...silentRooms,
    ];
    const world = useWorld(() => ({ store, rooms }));
    describe("login", () => describeLogin(world));
    describe("rooms", () => describeRooms(world));
    describe("codes", () => describeCodes(world));
    describe("authorization requests", () => describeRequests(world));
    describe("login restart", () => describeRestart(world));
    describe("leaving", () => describeLeaving(world));
    describe("logout", () => describeLogout(world));
    describe("phases", () => describePhases(world));
    describe("sessions", () => describeSessions(world));
    describe("silent logins", () => describeSilentLogins(world));
    describe("claiming", () => describeClaiming(world));
  });
}
