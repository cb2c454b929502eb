import { z } from "zod";
import { formatTime } from "../../config/index.ts";
import { UsherError } from "../../lib/errors.ts";
import { type AdminRoute, routesAbout } from "../../operate/admin-api/admin-router.ts";
import { object, timeText } from "../../operate/admin-api/bodies.ts";
import { featureModule, type Gateway, type RunningFeature } from "../../operate/feature.ts";
import { refreshAll } from "../../registry/index.ts";
import type { OpenRooms } from "../../room/index.ts";

const backupAnswer = z
  .object({
    made_at: timeText,
    /** Version of the program. */
    usher: z.string(),
    registries: z.record(z.string(), z.object({ version: z.int(), content: z.looseObject({}) })),
    rooms: z.record(
      z.string(),
      z.object({
        room: z.string(),
        /** How far the line had come, with the settings in force. */
        checkpoint: z.looseObject({}),
        /** Base64: the keys of those who have a place, where each person has one. */
        keys: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: "Backup" });

interface RunningBackup extends RunningFeature {
  readonly gateway: Gateway;
}

/** The gateway answers what an export needs; it runs nothing for it. */
export const backupInGateway = featureModule({
  start: (gateway: Gateway): RunningBackup => ({ gateway }),
  adminRoutes: backupRoutes,
});

/** What `usher export` writes into its file. Of keys, clients and people it has hashes and what is encrypted, no secret. */
function backupRoutes({ gateway: { rooms, registries, clock, version } }: RunningBackup): AdminRoute[] {
  return [
    routesAbout("/backup", () => Promise.all([refreshAll(registries()), rooms.sync()]))(
      "GET",
      "",
      {
        summary: "Answers what a backup needs of this installation, without its secrets file.",
        tag: "Backup",
        role: "admin",
        query: object({}),
        answers: backupAnswer,
        errors: ["conflict", "store_unavailable"],
      },
      () => ({
        made_at: formatTime(clock.now()),
        usher: version,
        registries: Object.fromEntries(registries().flatMap(({ registry }) => registryCopy(registry))),
        rooms: Object.fromEntries(rooms.all.map((room) => [room.name, roomCopy(room)])),
      }),
    ),
  ];
}

function registryCopy({ name, version, content, fault }: ReturnType<Gateway["registries"]>[number]["registry"]) {
  if (fault !== null) throw new UsherError("conflict", fault);
  return version === 0 ? [] : [[name, { version, content: content as Record<string, unknown> }] as const];
}

function roomCopy({ id, replica }: OpenRooms["all"][number]) {
  const copy = replica.copy();
  if (copy === null)
    throw new UsherError("store_unavailable", `the room ${id} is not known yet: ask again when the gateway is ready`);
  return { room: id, checkpoint: { ...copy.checkpoint }, keys: copy.keys?.toString("base64") ?? null };
}
