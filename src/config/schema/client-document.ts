/**
 * One client as it is written outside the configuration file: the words, checks and defaults of an entry of `clients`, but for
 * what only the file can say.
 */

import { checkClientSettings } from "../checks/client-checks.ts";
import { findClientWarnings } from "../checks/client-warnings.ts";
import { NO_AUDIENCE, usualAudience } from "../checks/cross-checks.ts";
import { type Fault, faultAt } from "../checks/faults.ts";
import { assembleClient } from "../resolve/assemble-client.ts";
import type { ClientConfig, IssuerConfig } from "../resolve/config.ts";
import { type Path, valueAt } from "../resolve/raw-document.ts";
import { without } from "./fields.ts";
import { client } from "./schema.ts";

/** An issuer that may have the client, with its rooms. */
export type ClientPlace = Pick<IssuerConfig, "issuer" | "rooms">;

export type ClientReading =
  | { readonly client: ClientConfig; readonly issuer: string; readonly warnings: readonly string[] }
  | { readonly faults: readonly Fault[] };

/** The place of the client in a document like the file's, which the checks go by. */
const PLACE: Path = ["clients", 0];
const PREFIX = "clients[0].";

const madeByUsher = "secrets are made by Usher, and shown once: leave it out";

/** What only the file can say is left out. */
const clientHere = without(client, {
  client_secret: madeByUsher,
  previous_client_secret: madeByUsher,
  theme: "only the configuration file can set this; the client's pages look like those of its rooms",
});

/** Ids that HTTP clients take for steps in an address, or JavaScript for its own. */
const UNUSABLE_IDS = [".", "..", "__proto__"];

/**
 * Answers all faults at once, with paths from the client (`redirect_uris[0]`), or the client without a secret.
 *
 * @param document as JSON gives it
 */
export function readClientDocument(document: unknown, places: readonly ClientPlace[]): ClientReading {
  const rooms = places.flatMap((place) => place.rooms.map(({ id }) => ({ id })));
  const raw = { rooms, clients: [document] };
  const checked = clientHere.safeParse(document);
  const faults = [
    ...(checked.error?.issues ?? []).map((issue) => faultAt(raw, [...PLACE, ...(issue.path as Path)], issue.message)),
    ...checkOutsideFile(raw),
    ...(typeof document === "object" ? checkClientSettings(raw, PLACE) : []),
    ...checkPlace(raw, document, places),
  ];
  if (faults.length > 0 || !checked.success) {
    return {
      faults: faults.map((fault) => ({ ...fault, path: fault.path.replace(PREFIX, "").replace("clients[0]", "") })),
    };
  }
  const issuer = places.find((place) => place.rooms.some(({ id }) => roomsNamed(document).includes(id)))?.issuer ?? "";
  const config = assembleClient(checked.data, () => []);
  const warnings = findClientWarnings(checked.data, config, 0).map((warning) => warning.replace(PREFIX, ""));
  return { client: config, issuer, warnings };
}

/** Ids of the rooms that a document names, of which nothing has been checked. */
export function roomsNamed(document: unknown): readonly string[] {
  const [one, many] = [valueAt(document, ["room"]), valueAt(document, ["rooms"])];
  return [one, ...(Array.isArray(many) ? many : [])].filter((room) => typeof room === "string");
}

function checkOutsideFile(raw: unknown): Fault[] {
  const id = valueAt(raw, [...PLACE, "client_id"]);
  return [
    ...(UNUSABLE_IDS.includes(String(id))
      ? [faultAt(raw, [...PLACE, "client_id"], "cannot stand in an address: choose another id")]
      : []),
    // The one key that the schema passes over.
    ...(valueAt(raw, [...PLACE, "__proto__"]) === undefined
      ? []
      : [faultAt(raw, [...PLACE, "__proto__"], "unknown key: leave it out")]),
  ];
}

/** What the client says against the issuer that has its rooms. */
function checkPlace(raw: unknown, document: unknown, places: readonly ClientPlace[]): Fault[] {
  const named = roomsNamed(document);
  const own = places.filter(({ rooms }) => rooms.some(({ id }) => named.includes(id)));
  const id = valueAt(document, ["client_id"]);
  const ofTokens = own.flatMap(({ issuer, rooms }) =>
    rooms.filter(({ id: room, waysIn }) => (waysIn.admissionToken.audience ?? usualAudience(issuer, room)) === id),
  );
  return [
    ...(own.length > 1
      ? [
          faultAt(
            raw,
            [...PLACE, "rooms"],
            `are of several issuers (${own.map(({ issuer }) => issuer).join(", ")}): a client has one, so make one for each`,
          ),
        ]
      : []),
    ...ofTokens.map((room) =>
      faultAt(raw, [...PLACE, "client_id"], `is the audience of the tokens of the room ${room.id}, ${NO_AUDIENCE}`),
    ),
  ];
}
