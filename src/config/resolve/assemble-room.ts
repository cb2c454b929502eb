import type { RoomDocument, SharedOutflowDocument } from "../schema/room-schema.ts";
import { waysIn } from "../schema/room-schema.ts";
import { readRoomSettings, type SharedOutflow } from "../schema/room-settings.ts";
import { readSettings } from "../schema/settings-codec.ts";
import type { RoomConfig } from "./config.ts";

/** Builds a room out of its checked document. */
export function assembleRoom(room: RoomDocument, sharedOutflows: readonly SharedOutflowDocument[]): RoomConfig {
  const { inlet, ...settings } = readRoomSettings(room);
  const { weight: _, ...ownInlet } = inlet;
  return {
    id: room.id,
    settings: {
      ...settings,
      title: room.title ?? room.id,
      inlet: { ...ownInlet, sharedOutflow: toSharedOutflow(room.inlet, sharedOutflows) },
    },
    language: room.language ?? null,
    waysIn: readSettings(waysIn, room),
  };
}

/** The rooms of one keep the same limit each, since each room's settings travel by themselves. */
function toSharedOutflow(
  { shared_outflow: id, weight }: RoomDocument["inlet"],
  sharedOutflows: readonly SharedOutflowDocument[],
): SharedOutflow | null {
  const shared = sharedOutflows.find((candidate) => candidate.id === id);
  return shared === undefined
    ? null
    : { id: shared.id, outflowPerMinute: shared.outflow_per_minute, weight: weight ?? 1 };
}
