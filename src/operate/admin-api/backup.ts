import { z } from "zod";
import { formatTime } from "../../config/index.ts";
import type { Clock } from "../../lib/clock.ts";
import { UsherError } from "../../lib/errors.ts";
import { type Registry, refreshAll } from "../../registry/index.ts";
import type { OpenRooms } from "../../room/index.ts";
import { type AdminRoute, routesAbout } from "./admin-router.ts";
import { object, timeText } from "./bodies.ts";

interface OfRegistry {
  readonly registry: Pick<Registry<unknown>, "name" | "content" | "version" | "fault" | "refresh">;
}

export interface BackupRoutesOptions {
  readonly rooms: Pick<OpenRooms, "all" | "sync">;
  readonly issuers: readonly OfRegistry[];
  readonly adminKeys: OfRegistry;
  readonly ofFeatures: readonly OfRegistry[];
  readonly incidents: OfRegistry;
  readonly clock: Clock;
  /** Of the program. */
  readonly version: string;
}

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

/** What `usher export` writes into its file. Of keys, clients and people it has hashes and what is encrypted, no secret. */
export function backupRoutes({
  rooms,
  issuers,
  adminKeys,
  ofFeatures,
  incidents,
  clock,
  version,
}: BackupRoutesOptions): AdminRoute[] {
  const registries = [...issuers, adminKeys, ...ofFeatures, incidents];
  return [
    routesAbout("/backup", () => Promise.all([refreshAll(registries), rooms.sync()]))(
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
        registries: Object.fromEntries(registries.flatMap(({ registry }) => registryCopy(registry))),
        rooms: Object.fromEntries(rooms.all.map((room) => [room.name, roomCopy(room)])),
      }),
    ),
  ];
}

function registryCopy({ name, version, content, fault }: OfRegistry["registry"]) {
  if (fault !== null) throw new UsherError("conflict", fault);
  return version === 0 ? [] : [[name, { version, content: content as Record<string, unknown> }] as const];
}

function roomCopy({ id, replica }: OpenRooms["all"][number]) {
  const copy = replica.copy();
  if (copy === null)
    throw new UsherError("store_unavailable", `the room ${id} is not known yet: ask again when the gateway is ready`);
  return { room: id, checkpoint: { ...copy.checkpoint }, keys: copy.keys?.toString("base64") ?? null };
}
