import { DOCUMENT_KEYS, SETTINGS_GROUPS, writeRoomSettings } from "../../../config/index.ts";
import { UsherError } from "../../../lib/errors.ts";
import { mergePatch } from "../../../lib/json.ts";
import type { IssuerRegistry } from "../../../registry/index.ts";
import type { RoomSettings, WaitingRoom } from "../../../room/index.ts";
import { inverseOf, type MemberKind } from "../../audit/index.ts";
import type { AdminRequest } from "../admin-router.ts";
import { syncedRoomJson } from "./room-json.ts";
import { phaseWarnings, scheduleWarnings } from "./schedule-warnings.ts";
import { effectiveSettings, patchLive, readSettingsBody } from "./settings.ts";

/** Whose room it is: where it was made at run time, with its view. */
export interface RoomOwner {
  readonly changes: IssuerRegistry["rooms"]["changes"];
  readonly view: IssuerRegistry["rooms"]["registered"][number] | undefined;
}

/**
 * Changes settings of a room by a merge patch: those that its state has, and, of one that was made at run time, those of its document.
 *
 * @throws UsherError `bad_request`, `conflict`, `store_unavailable`
 */
export async function patchRoom(
  { subject: room, principal, notes, body }: AdminRequest<WaitingRoom, unknown, Record<string, unknown>>,
  owner: RoomOwner | undefined,
) {
  const isOfDocument = (name: string) => owner?.view !== undefined && DOCUMENT_KEYS.includes(name);
  const members = Object.entries(body);
  const ofDocument = Object.fromEntries(members.filter(([name]) => isOfDocument(name)));
  const ofState = Object.fromEntries(members.filter(([name]) => !isOfDocument(name)));
  const documentKeys = Object.keys(ofDocument);
  const document = documentKeys.length === 0 ? undefined : owner?.changes;
  if (document !== undefined) {
    // As for making one: these say for example which sites visitors are sent to.
    principal.requireRole("admin");
    principal.requireAllRooms();
  }
  if (leadsElsewhere(ofState)) principal.requireRole("admin");
  await room.refresh();
  const { state } = room;
  if (state === null) {
    throw new UsherError("store_unavailable", "try again in a moment", { retryAfterSec: 2 });
  }
  const { file, effective: before } = state.settings;
  const patch = readSettingsBody(ofState, { inForce: before.timeZone ?? null, file: file.timeZone ?? null });
  const live = patchLive(state.settings.live, patch);
  const effective = effectiveSettings(file, live);
  // The store refuses what was decided on an older state, and then nothing of it is done.
  document?.checkPatch(room.id, ofDocument);
  const documentBefore = pickedFrom(owner?.view?.registered.document, documentKeys);
  notes.changing({ ...settingsJson(before), ...documentBefore });
  await room.operations.changeSettings(live, effective, state.version, principal.id);
  await document?.patch(room.id, ofDocument, principal.id);
  const after = room.state ?? state;
  const documentAfter = mergePatch(documentBefore, ofDocument) as object;
  // The way back goes by what was changed at run time: the rest is given back to the file.
  const inverse = inverseOf(
    { ...writeRoomSettings(state.settings.live, before.timeZone ?? null), ...documentBefore },
    { ...writeRoomSettings(live, effective.timeZone ?? null), ...documentAfter },
    kindOfSetting,
  );
  notes.changed(
    { ...settingsJson(before), ...documentBefore },
    { ...settingsJson(effective), ...documentAfter },
    { method: "PATCH", path: `/rooms/${room.id}`, body: inverse },
  );
  return {
    ...syncedRoomJson(room, after),
    warnings: [...phaseWarnings(state, after), ...scheduleWarnings(after, patch.times)],
  };
}

/** Whether it names addresses to which visitors are sent, or may go. */
function leadsElsewhere({ when_idle, when_ended, links, next_sale, while_waiting }: Record<string, unknown>): boolean {
  const isObject = (value: unknown) => typeof value === "object" && value !== null;
  const hasText = typeof while_waiting === "string" && while_waiting !== "off";
  return hasText || [when_idle, when_ended, links, next_sale, while_waiting].some(isObject);
}

function settingsJson(settings: RoomSettings): object {
  return writeRoomSettings(settings, settings.timeZone ?? null);
}

function kindOfSetting(name: string): MemberKind {
  if (SETTINGS_GROUPS.some((group) => group === name)) return "group";
  return ["message", "next_sale", "while_waiting"].includes(name) ? "value" : "object";
}

/** These members of a room's document, those that it has. */
function pickedFrom(document: Readonly<Record<string, unknown>> = {}, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(document).filter(([name]) => names.includes(name)));
}
