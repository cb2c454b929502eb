/** A room's settings as a live change takes them: each by itself, and null gives it back to the file. */
import type { z } from "zod";
import { mapping, orOff } from "./fields.ts";
import { innermost, kindOf } from "./kinds.ts";
import { ROOM_KEYS } from "./room-schema.ts";
import { roomSettings } from "./room-settings.ts";
import { membersOf } from "./settings-codec.ts";

/** Rooms of one outflow must agree on it. */
const FILE_ONLY = "shared_outflow";

/** @param known what may stand beside its members in the file */
function changeOf(setting: z.ZodType, known?: readonly string[]): z.ZodType {
  const { offExample } = kindOf(setting);
  const members = membersOf(setting);
  if (offExample !== undefined) return orOff(innermost(setting), offExample).nullish();
  if (members === null) return innermost(setting).nullish();
  const ofFile = known ?? members.map(([key]) => key);
  const whyNot = (key: string) => (ofFile.includes(key) ? "only the configuration file can set this" : null);
  const taken = members.filter(([key]) => key !== FILE_ONLY).map(([key, member]) => [key, changeOf(member)]);
  return mapping(Object.fromEntries(taken), "an object", whyNot).nullish();
}

export const settingsChange: z.ZodType = innermost(changeOf(roomSettings, ROOM_KEYS));

/** Paths of all that can be changed while the program runs. */
export const CHANGEABLE: readonly string[] = (membersOf(settingsChange) ?? []).flatMap(
  ([key, member]) => membersOf(member)?.map(([name]) => `${key}.${name}`) ?? [key],
);

/** What stands in the document alone of a room that was made at run time: all but what names it or is read from files. */
export const DOCUMENT_KEYS: readonly string[] = ROOM_KEYS.filter(
  (key) => !(key in roomSettings.shape) && key !== "id" && key !== "theme",
);
