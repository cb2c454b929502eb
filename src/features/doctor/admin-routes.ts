/** The admin API's routes for the checks of a room before its sale: what `usher doctor` finds from outside, run by a gateway. */
import { z } from "zod";
import { formatTime } from "../../config/index.ts";
import { somebodyOf } from "../../operate/admin-api/access/principal.ts";
import { type AdminRoute, routesAbout } from "../../operate/admin-api/admin-router.ts";
import { emptyBody, findingAnswer, timeText } from "../../operate/admin-api/bodies.ts";
import { createRoomFinder } from "../../operate/admin-api/rooms/rooms.ts";
import { somebody } from "../../registry/index.ts";
import type { RecordedChecks } from "./checks-record.ts";
import { check, type DoctorInGateway } from "./room-checks.ts";

const checksAnswer = z
  .object({
    room: z.string(),
    running: z.object({ by: somebody, began_at: timeText }).nullable(),
    last: z
      .object({ by: somebody, began_at: timeText, ended_at: timeText, findings: z.array(findingAnswer) })
      .nullable(),
  })
  .meta({ id: "Checks" });

/** @param doctor of a gateway */
export function checksRoutes(doctor: DoctorInGateway): AdminRoute[] {
  const { checksRecord } = doctor;
  const route = routesAbout("/rooms/:room", createRoomFinder(doctor));
  const tag = "Rooms";
  return [
    route(
      "GET",
      "/checks",
      {
        summary: "Tells what the last checks of the room found, and whether others go on.",
        tag,
        role: "viewer",
        answers: checksAnswer,
      },
      async ({ subject: room }) => checksJson(room.id, await checksRecord.read(room.id)),
    ),
    route(
      "POST",
      "/checks",
      {
        summary:
          "Begins checks of the room from outside: name, certificate, proxy, clients, a login that is played and ended. One at a time.",
        tag,
        role: "operator",
        body: emptyBody,
        status: 201,
        answers: checksAnswer,
        errors: ["conflict"],
      },
      async ({ subject: room, principal }) => {
        const { id, now } = await checksRecord.begin(room.id, somebodyOf(principal));
        // Its end is in the store, for whoever looks. If the store is away then, the run counts as broken off.
        void check(room, principal, doctor)
          .then((findings) => checksRecord.end(room.id, id, findings))
          .catch(() => undefined);
        return checksJson(room.id, now);
      },
    ),
  ];
}

function checksJson(room: string, { running, checks }: RecordedChecks) {
  return {
    room,
    running: running && { by: running.by, began_at: formatTime(running.began_ms) },
    last: checks && {
      by: checks.by,
      began_at: formatTime(checks.began_ms),
      ended_at: formatTime(checks.ended_ms),
      findings: checks.findings,
    },
  };
}
