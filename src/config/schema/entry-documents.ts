/**
 * One room or client as it is written outside the configuration file: the words, checks and defaults of an entry of `rooms` or
 * `clients`, but for what only the file can say. All faults are answered at once, with paths from the entry (`inlet.type`).
 */

import type { z } from "zod";
import { assembleClient, assembleRoom } from "../assemble.ts";
import { checkClient } from "../checks/client-checks.ts";
import { NO_AUDIENCE, usualAudience } from "../checks/cross-checks.ts";
import { at, type Fault, faultAt, faultOfIssue, type LocalFault, unknownWord } from "../checks/faults.ts";
import { checkRoom } from "../checks/room-checks.ts";
import { noSuchStore } from "../checks/store-checks.ts";
import { languageTagFault } from "../checks/urls.ts";
import { findClientWarnings, findWayInWarnings } from "../checks/warnings.ts";
import type { ClientConfig, IssuerConfig, RoomConfig } from "../config.ts";
import { formatPath, type Path, valueAt } from "../raw-document.ts";
import { without } from "./fields.ts";
import { room } from "./room-schema.ts";
import { inlet } from "./room-settings.ts";
import { client } from "./schema.ts";

/** An issuer that may have the client, with its rooms. */
export type ClientPlace = Pick<IssuerConfig, "issuer" | "rooms">;

/** The issuer that is to have the room. */
export interface RoomPlace {
  readonly issuer: string;
  /** Tags of the languages that its pages are there in. */
  readonly languages: readonly string[];
  /** Names of the stores that it may be in. */
  readonly stores: readonly string[];
}

type Faulty = { readonly faults: readonly Fault[] };
export type ClientReading =
  | { readonly client: ClientConfig; readonly issuer: string; readonly warnings: readonly string[] }
  | Faulty;
export type RoomReading = { readonly room: RoomConfig; readonly warnings: readonly string[] } | Faulty;

const createdByUsher = "secrets are made by Usher, and shown once: leave it out";

/** The shape of a client that is made at run time. */
export const clientHere = without(client, {
  client_secret: createdByUsher,
  previous_client_secret: createdByUsher,
  theme: "only the configuration file can set this; the client's pages look like those of its rooms",
});

/** The shape of a room that is made at run time: without what stands in files, or has to be agreed on by the rooms of several. */
export const roomHere = without(
  room.extend({
    inlet: without(inlet, {
      shared_outflow: "only rooms of the configuration file share an outflow: give the room its own outflow_per_minute",
      weight: "only rooms of the configuration file share an outflow: leave it out",
    }).prefault({ type: "manual" }),
  }),
  {
    entry: "only the configuration file can set this; the room is open to everybody",
    invitations: "only the configuration file can set this; the room is open to everybody",
    identity: "only the configuration file can set this; visitors of the room do not sign in",
    theme: "only the configuration file can set this; the room's pages have the issuer's usual look",
    themes: "only the configuration file can set this; the room's pages have the issuer's usual look",
  },
);

/**
 * The client without a secret, or what is wrong with it.
 *
 * @param document as JSON gives it
 */
export function readClientDocument(document: unknown, places: readonly ClientPlace[]): ClientReading {
  const raw = { rooms: places.flatMap(({ rooms }) => rooms.map(({ id }) => ({ id }))), clients: [document] };
  const ofIssuers = placesOf(document, places);
  const checkSettings = (whole: unknown, place: Path) => checkClient(whole, place, false);
  const read = readEntry(clientHere, raw, ["clients", 0], checkSettings, clientFaults(document, ofIssuers));
  if ("faults" in read) return read;
  const config = assembleClient(read, () => []);
  return { client: config, issuer: ofIssuers[0]?.issuer ?? "", warnings: findClientWarnings(read, config) };
}

/**
 * The room, or what is wrong with it.
 *
 * @param document as JSON gives it
 * @param clients ids of the issuer's clients, none of which may be the audience of the room's tokens
 */
export function readRoomDocument(document: unknown, place: RoomPlace, clients: readonly string[] = []): RoomReading {
  // A shared outflow is refused for what it is, whether there is one of its name or not.
  const raw = { rooms: [document], shared_outflows: [{ id: valueAt(document, ["inlet", "shared_outflow"]) }] };
  const read = readEntry(roomHere, raw, ["rooms", 0], checkRoom, roomFaults(document, place, clients));
  if ("faults" in read) return read;
  const config = assembleRoom({ ...read, entry: "open" }, [], () => []);
  return { room: config, warnings: findWayInWarnings(config) };
}

/**
 * @param raw a document like the file's, which the checks go by
 * @param place of the entry in it
 * @param others what is wrong with the entry besides
 */
function readEntry<Entry extends object>(
  schema: z.ZodType<Entry>,
  raw: unknown,
  place: Path,
  check: (raw: unknown, place: Path) => Fault[],
  others: Iterable<LocalFault>,
): Entry | Faulty {
  const document = valueAt(raw, place);
  const { data, error } = schema.safeParse(document);
  // The one key that the schema passes over.
  const hasProto = valueAt(document, ["__proto__"]) !== undefined;
  const proto = hasProto ? [{ path: ["__proto__"], message: "unknown key: leave it out" }] : [];
  const faults = [
    ...(error?.issues ?? []).map((issue) => faultOfIssue(raw, issue, place)),
    ...[...proto, ...others].map(({ path, message }) => faultAt(raw, [...place, ...path], message)),
    ...check(raw, place),
  ];
  const prefix = formatPath(place);
  return data === undefined || faults.length > 0
    ? { faults: faults.map((fault) => ({ ...fault, path: fault.path.slice(prefix.length).replace(/^\./, "") })) }
    : data;
}

/** Ids of the rooms that a document names, of which nothing has been checked. */
export function roomsNamed(document: unknown): readonly string[] {
  const [one, many] = [valueAt(document, ["room"]), valueAt(document, ["rooms"])];
  return [one, ...(Array.isArray(many) ? many : [])].filter((room) => typeof room === "string");
}

function placesOf(document: unknown, places: readonly ClientPlace[]): ClientPlace[] {
  const named = roomsNamed(document);
  return places.filter(({ rooms }) => rooms.some(({ id }) => named.includes(id)));
}

/** Ids that HTTP clients take for steps in an address. */
const UNUSABLE_IDS = [".", ".."];

/** What the client says against the issuer that has its rooms. */
function* clientFaults(document: unknown, ofIssuers: readonly ClientPlace[]): Generator<LocalFault> {
  const id = valueAt(document, ["client_id"]);
  const issuers = ofIssuers.map(({ issuer }) => issuer).join(", ");
  if (UNUSABLE_IDS.includes(String(id))) yield at("client_id", "cannot stand in an address: choose another id");
  if (ofIssuers.length > 1)
    yield at("rooms", `are of several issuers (${issuers}): a client has one, so make one for each`);
  for (const { issuer, rooms } of ofIssuers) {
    for (const { id: room, waysIn } of rooms) {
      const isAudience = (waysIn.admissionToken.audience ?? usualAudience(issuer, room)) === id;
      if (isAudience) yield at("client_id", `is the audience of the tokens of the room ${room}, ${NO_AUDIENCE}`);
    }
  }
}

/** What the room says against the issuer that is to have it. */
function* roomFaults(document: unknown, place: RoomPlace, clients: readonly string[]): Generator<LocalFault> {
  const { issuer, languages, stores } = place;
  const tag = valueAt(document, ["language"]);
  if (typeof tag === "string" && languageTagFault(tag) === null && !languages.includes(tag))
    yield at("language", unknownWord("language", tag, languages));
  const store = valueAt(document, ["store"]);
  if (typeof store === "string" && !stores.includes(store)) yield at("store", noSuchStore(store, stores));
  const path = ["admission_token", "audience"];
  const audience = valueAt(document, path) ?? usualAudience(issuer, String(valueAt(document, ["id"])));
  if (clients.some((id) => id === audience)) yield { path, message: `is the client_id of a client, ${NO_AUDIENCE}` };
}
