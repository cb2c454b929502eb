/**
 * One room as it is written outside the configuration file: the words, checks and defaults of an entry of `rooms`, but for
 * what only the file can say.
 */

import { NO_AUDIENCE, usualAudience } from "../checks/cross-checks.ts";
import { type Fault, faultAt } from "../checks/faults.ts";
import { languageTagFault } from "../checks/language-tag-fault.ts";
import { checkRoom } from "../checks/room-checks.ts";
import { findWayInWarnings } from "../checks/way-in-warnings.ts";
import { unknownWord } from "../checks/words.ts";
import { assembleRoom } from "../resolve/assemble-room.ts";
import type { RoomConfig } from "../resolve/config.ts";
import { type Path, valueAt } from "../resolve/raw-document.ts";
import { without } from "./fields.ts";
import { room } from "./room-schema.ts";
import { inlet } from "./room-settings.ts";

/** The issuer that is to have the room. */
export interface RoomPlace {
  readonly issuer: string;
  /** Tags of the languages that its pages are there in. */
  readonly languages: readonly string[];
}

export type RoomReading =
  | { readonly room: RoomConfig; readonly warnings: readonly string[] }
  | { readonly faults: readonly Fault[] };

const PLACE: Path = ["rooms", 0];
const PREFIX = "rooms[0].";

/** What stands in files, or has to be agreed on by the rooms of several. */
const roomHere = without(
  room.extend({
    inlet: without(inlet, {
      shared_outflow: "only rooms of the configuration file share an outflow: give the room its own outflow_per_minute",
      weight: "only rooms of the configuration file share an outflow: leave it out",
    }).prefault({ type: "manual" }),
  }),
  { theme: "only the configuration file can set this; the room's pages have the issuer's usual look" },
);

/**
 * Answers all faults at once, with paths from the room (`inlet.type`), or the room.
 *
 * @param document as JSON gives it
 * @param clients ids of the issuer's clients, none of which may be the audience of the room's tokens
 */
export function readRoomDocument(document: unknown, place: RoomPlace, clients: readonly string[] = []): RoomReading {
  // A shared outflow is refused for what it is, whether there is one of its name or not.
  const raw = { rooms: [document], shared_outflows: [{ id: valueAt(document, ["inlet", "shared_outflow"]) }] };
  const checked = roomHere.safeParse(document);
  const at = (path: Path, message: string) => faultAt(raw, [...PLACE, ...path], message);
  const faults = [
    ...(checked.error?.issues ?? []).map((issue) => at(issue.path as Path, issue.message)),
    ...(valueAt(document, ["__proto__"]) === undefined ? [] : [at(["__proto__"], "unknown key: leave it out")]),
    ...(typeof document === "object" ? checkRoom(raw, PLACE) : []),
    ...checkPlace(document, place, clients, at),
  ];
  if (faults.length > 0 || !checked.success) {
    return {
      faults: faults.map((fault) => ({ ...fault, path: fault.path.replace(PREFIX, "").replace("rooms[0]", "") })),
    };
  }
  const config = assembleRoom(checked.data, []);
  return { room: config, warnings: findWayInWarnings(config, 0).map((warning) => warning.replace(PREFIX, "")) };
}

/** What the room says against the issuer that is to have it. */
function checkPlace(
  document: unknown,
  { issuer, languages }: RoomPlace,
  clients: readonly string[],
  at: (path: Path, message: string) => Fault,
): Fault[] {
  const language = valueAt(document, ["language"]);
  const isUnknown =
    typeof language === "string" && languageTagFault(language) === null && !languages.includes(language);
  const written = valueAt(document, ["admission_token", "audience"]);
  const audience = written ?? usualAudience(issuer, String(valueAt(document, ["id"])));
  return [
    ...(isUnknown ? [at(["language"], unknownWord("language", language, languages))] : []),
    ...(clients.some((client) => client === audience)
      ? [at(["admission_token", "audience"], `is the client_id of a client, ${NO_AUDIENCE}`)]
      : []),
  ];
}
