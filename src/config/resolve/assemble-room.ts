import { identitySettings } from "../schema/identity.ts";
import { invitationClass, invitationSettings } from "../schema/invitations.ts";
import { type RoomDocument, type SharedOutflowDocument, waysIn } from "../schema/room-schema.ts";
import { readRoomSettings } from "../schema/room-settings.ts";
import { readSettings } from "../schema/settings-codec.ts";
import type { RoomConfig } from "./config.ts";

/**
 * Builds a room out of its checked document.
 *
 * @param secretsAt resolved values by the key of a secret in the room
 */
export function assembleRoom(
  room: RoomDocument,
  sharedOutflows: readonly SharedOutflowDocument[],
  secretsAt: (key: string) => readonly string[],
): RoomConfig {
  const { inlet, ...settings } = readRoomSettings(room);
  const { weight, ...ownInlet } = inlet;
  // The rooms of one keep the same limit each, since each room's settings travel by themselves.
  const shared = sharedOutflows.find(({ id }) => id === room.inlet.shared_outflow);
  const sharedOutflow = shared
    ? { id: shared.id, outflowPerMinute: shared.outflow_per_minute, weight: weight ?? 1 }
    : null;
  return {
    id: room.id,
    ...(room.store !== undefined && { store: room.store }),
    settings: { ...settings, title: room.title ?? room.id, inlet: { ...ownInlet, sharedOutflow } },
    language: room.language ?? null,
    waysIn: readSettings(waysIn, room),
    invitations: assembleInvitations(room, secretsAt),
    identity: assembleIdentity(room, secretsAt),
  };
}

function assembleInvitations(
  { entry, invitations: written, schedule }: RoomDocument,
  secretsAt: (key: string) => readonly string[],
): RoomConfig["invitations"] {
  if (entry === "open" || written === undefined) return null;
  const reading = { zone: schedule.time_zone ?? null };
  const classes = written.classes.map((each) => readSettings(invitationClass, each, reading));
  const settings = readSettings(invitationSettings, written, reading);
  return { ...settings, classes, secrets: written.secret === undefined ? [] : secretsAt("invitations.secret") };
}

function assembleIdentity(
  { identity: written }: RoomDocument,
  secretsAt: (key: string) => readonly string[],
): RoomConfig["identity"] {
  if (written === undefined) return null;
  const settings = readSettings(identitySettings, written);
  const [clientSecret = ""] = secretsAt("identity.client_secret");
  return { ...settings, scopes: [...new Set(["openid", ...settings.scopes])], clientSecret };
}
