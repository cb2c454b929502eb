/** `homes.queue_it` of an issuer's section of a configuration file. */
import { z } from "zod";
import {
  entriesAt,
  type Fault,
  faultAt,
  formatPath,
  mapping,
  type Path,
  type SecretPlace,
  settingsPart,
  text,
  unknownRoom,
  valueAt,
  writtenSecret,
} from "../../config/index.ts";
import { differencesOf, type IntegratedRoom } from "./integration-config.ts";
import { publicAnswersOf } from "./public-answers.ts";

export interface QueueItSettings {
  /** Where it is answered, without a slash at its end. */
  readonly path: string;
  readonly customerId: string;
  /** Those of now, the newest first: it signs, and enqueue tokens and tokens of ours count by any. */
  readonly secretKeys: readonly string[];
  /** Those that may pull the integration configuration; none: nobody. */
  readonly apiKeys: readonly string[];
  /** Ids of rooms by the ids that the sites' connectors use. */
  readonly rooms: ReadonlyMap<string, string>;
}

export const usualPath = "/queue-it";
const eventsMax = 200;
/** First steps of paths at which Usher answers itself. */
const taken = new Set([
  ...["admin", "assets", "authorize", "console", "healthz", "language", "logout", "metrics", "openapi.json", "readyz"],
  ...["robots.txt", "rooms", "status", "status.json", "token", "userinfo", "usher.js", "verify"],
]);

const path = text(
  "a path such as /queue-it, in lower case and without a slash at its end",
  64,
  /^(\/[a-z0-9][a-z0-9-]*){1,4}$/,
)
  .refine((value) => !taken.has(value.split("/")[1] ?? ""), {
    error: "Usher answers there itself: choose another path",
  })
  .default(usualPath)
  .describe("where it is answered: the connectors' `QueueDomain` is the issuer's host and this");

/** Of an id of a room, as the connectors know it: the other characters are read differently by some of them. */
const eventId = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;
const expectedRooms = "expected rooms by the ids that the connectors use, such as { event1: tickets }";
const rooms = z
  .record(z.string(), text("the id of a room", 32), { error: expectedRooms })
  .superRefine((byId, context) => {
    const ids = Object.keys(byId);
    if (ids.length === 0 || ids.length > eventsMax)
      context.addIssue({ code: "custom", message: `expected 1 to ${eventsMax} rooms` });
    for (const id of ids)
      if (!eventId.test(id))
        context.addIssue({
          code: "custom",
          path: [id],
          message: "expected an id of 1 to 64 of the characters a to z, 0 to 9 and -: some connectors take no other",
        });
  })
  .describe(
    "rooms by the ids that the connectors use, in lower case. Each needs `targets`, the only addresses to which visitors are sent",
  );

export const queueItSettings = settingsPart({
  key: "homes.queue_it",
  isPerIssuer: true,
  schema: mapping({
    path,
    customer_id: text(
      "the customer id that the connectors have, letters and digits",
      64,
      /^[A-Za-z0-9]{1,64}$/,
    ).describe("the customer id that the connectors have"),
    secret_key: writtenSecret.describe("with which tokens are signed: the connectors' secret key, 36 to 72 characters"),
    api_key: writtenSecret
      .optional()
      .describe("by which connectors pull the integration configuration; without it nobody can"),
    rooms,
  })
    .optional()
    .describe("for sites with [a connector of Queue-it](homes/queue-it.md)"),
  check: (raw, place) =>
    valueAt(raw, place) === undefined ? [] : checkRooms(raw, [...place, "rooms"], place.slice(0, -2)),
  warn: (raw, place) =>
    valueAt(raw, place) === undefined
      ? []
      : [
          ...ruleWarnings(raw, [...place, "rooms"], place.slice(0, -2)),
          ...visitWarnings(raw, [...place, "rooms"], place.slice(0, -2)),
        ],
  followedSecrets: (raw, place) =>
    valueAt(raw, place) === undefined
      ? []
      : secretNames.flatMap((name) => {
          const path = [...place, name];
          const isWritten = name === "secret_key" || (valueAt(raw, path) ?? null) !== null;
          const findFault = (value: string) => secretFault(name, value);
          const secret: SecretPlace = { path, versions: "accepted", findFault };
          return isWritten ? [{ name: nameOfSecret(formatPath(place), name), path: place, places: [secret] }] : [];
        }),
  homes: (home: QueueItSettings | null) =>
    roomsOf(home).map(([room, ids]) => ({ room, system: "Queue-it", ids, guide: "docs/homes/queue-it.md" })),
  publicAnswers: (home: QueueItSettings | null) => (home === null ? [] : publicAnswersOf(home)),
  read: (written, secretsAt): QueueItSettings | null =>
    written === undefined
      ? null
      : {
          path: written.path,
          customerId: written.customer_id,
          secretKeys: secretsAt("secret_key"),
          apiKeys: written.api_key === undefined ? [] : secretsAt("api_key"),
          rooms: new Map(Object.entries(written.rooms)),
        },
});

/** Each room with all ids that connectors have for it. */
function roomsOf(home: QueueItSettings | null): [room: string, ids: string[]][] {
  const entries = [...(home?.rooms ?? [])];
  return [...new Set(entries.map(([, room]) => room))].map((room) => [
    room,
    entries.filter(([, other]) => other === room).map(([id]) => id),
  ]);
}

/** Rules that connectors follow in another way than Usher itself. */
function ruleWarnings(raw: unknown, list: Path, issuer: Path): Fault[] {
  const places = new Map(
    entriesAt(raw, [...issuer, "rooms"]).map((place) => [String(valueAt(raw, [...place, "id"])), place]),
  );
  const rooms = new Map(Object.entries((valueAt(raw, list) ?? {}) as Record<string, string>));
  const roomOf = (id: string) => {
    const { targets = [], rules = null } = valueAt(raw, places.get(id) ?? []) as Partial<IntegratedRoom>;
    return { targets, rules };
  };
  return differencesOf(rooms, roomOf).map(({ room, at, message }) => {
    return { path: formatPath([...(places.get(room) ?? []), "rules", at]), value: null, message };
  });
}

/** Connectors extend a visit at each request, as sliding admissions are, and tell nobody. */
function visitWarnings(raw: unknown, list: Path, issuer: Path): Fault[] {
  return Object.entries((valueAt(raw, list) ?? {}) as Record<string, string>).flatMap(([id, room]) => {
    const place = entriesAt(raw, [...issuer, "rooms"]).find((each) => valueAt(raw, [...each, "id"]) === room) ?? [];
    const isBounded = valueAt(raw, [...place, "inlet", "type"]) === "max_active";
    if (!isBounded || valueAt(raw, [...place, "admission", "max_duration"]) == null) return [];
    const message =
      "connectors extend visits without telling Usher, so more than max_active may be on the site: take admission.max_duration from the room";
    return [{ path: formatPath([...list, id]), value: null, message }];
  });
}

/** Rooms of the same issuer, with addresses to which visitors may be sent: a home without any would lead nowhere. */
function checkRooms(raw: unknown, list: Path, issuer: Path): Fault[] {
  const named = valueAt(raw, list);
  if (typeof named !== "object" || named === null) return [];
  return Object.entries(named).flatMap(([id, room]): Fault[] => {
    const path = [...list, id];
    const unknown = unknownRoom(raw, path);
    const place = entriesAt(raw, [...issuer, "rooms"]).find((each) => valueAt(raw, [...each, "id"]) === room);
    if (unknown.length > 0 || place === undefined) return unknown;
    const targets = valueAt(raw, [...place, "targets"]);
    const mustBeSeen = valueAt(raw, [...place, "admission", "first_visit_within"]) != null;
    return [
      ...(Array.isArray(targets) && targets.length > 0
        ? []
        : [faultAt(raw, path, `the room has no targets: list in ${formatPath(place)} where its visitors may be sent`)]),
      ...(mustBeSeen
        ? [faultAt(raw, path, "no connector reports a visit: take admission.first_visit_within from the room")]
        : []),
    ];
  });
}

/** Characters, the least and the most: of the first as theirs, which a connector is given in its settings. */
const secretLengths = { secret_key: [36, 72], api_key: [20, 200] } as const;
type SecretName = keyof typeof secretLengths;
const secretNames = Object.keys(secretLengths) as SecretName[];

function secretFault(name: SecretName, value: string): string | null {
  const [least, most] = secretLengths[name];
  const isGood = value.length >= least && value.length <= most && /^[\x21-\x7e]*$/.test(value);
  return isGood
    ? null
    : `expected ${least} to ${most} printable ASCII characters without spaces: openssl rand -hex 32 makes them`;
}

/** How a change of a secret is told. @param place `homes.queue_it`, or that of one issuer of several */
export function nameOfSecret(place: string, name: SecretName): string {
  return `${place}.${name}`;
}
