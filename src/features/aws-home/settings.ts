/** `homes.aws` of an issuer's section of a configuration file: where the interface of AWS's Virtual Waiting Room is answered, and for whom. */
import { z } from "zod";
import {
  askedOfVisitors,
  checked,
  duplicates,
  entriesAt,
  type Fault,
  faultAt,
  formatPath,
  list,
  mapping,
  oneOf,
  type Path,
  ROLES,
  type Role,
  type SecretPlace,
  settingsPart,
  text,
  unknownRooms,
  valueAt,
  writtenSecret,
} from "../../config/index.ts";
import { isObject } from "../../lib/json.ts";
import { publicAnswersOf } from "./public-answers.ts";

/** An access key of the operator's own: AWS never tells anybody the secret of a role. */
export interface AccessKey {
  readonly accessKeyId: string;
  /** The first counts most; those before a rotation go on for a while. */
  readonly secrets: readonly string[];
  readonly role: Role;
  /** Null for all of the home. */
  readonly rooms: readonly string[] | null;
}

/** Where events are put. */
export interface EventBusSettings {
  readonly region: string;
  readonly name: string;
  /** Null: the service's own. */
  readonly endpoint: string | null;
}

export interface AwsHomeSettings {
  readonly publicPath: string;
  readonly privatePath: string;
  /** Null: all. */
  readonly origins: readonly string[] | null;
  /** Rooms by event id. */
  readonly events: ReadonlyMap<string, string>;
  /** `iss` of tokens; null: the issuer. */
  readonly tokenIssuer: string | null;
  readonly keys: readonly AccessKey[];
  /** Null: events are put nowhere. */
  readonly eventBus: EventBusSettings | null;
}

const eventsMax = 100;
const keysMax = 100;

/** Whose first segment is Usher's own. */
const taken =
  /^\/(?:admin|authorize|healthz|introspect|logout|metrics|openapi\.json|par|readyz|revoke|robots\.txt|rooms|status|status\.json|token|userinfo|userInfo)(?:\/|$)/;

function pathFault(path: string): string | null {
  if (path.length > 100 || !/^(?:\/[A-Za-z0-9_-][A-Za-z0-9._~-]*)+$/.test(path)) {
    return "expected a path such as /aws/public: letters, digits and ._~- between slashes, at most 100 characters";
  }
  return taken.test(path) ? "is where Usher itself answers: choose another path" : null;
}

function originFault(origin: string): string | null {
  const isOrigin = origin.length <= 255 && URL.canParse(origin) && new URL(origin).origin === origin;
  return isOrigin ? null : "expected an origin as browsers send it, such as https://shop.example.com";
}

function urlFault(url: string): string | null {
  const isUrl = url.length <= 512 && /^https?:\/\/[\x21-\x7e]+$/.test(url) && URL.canParse(url);
  return isUrl ? null : "expected an http or https URL of at most 512 characters";
}

const accessKeyId = text("letters and digits, as AWS makes them", 128, /^\w{4,128}$/);
const accessKey = mapping({
  access_key_id: accessKeyId.describe("by which a signature names it"),
  secret_access_key: writtenSecret.optional().describe("with which requests are signed; 40 characters or more"),
  role: oneOf("role", ROLES)
    .default("operator")
    .describe("what it may do; see the [table](homes/aws.md#private-routes)"),
  rooms: list(text("the id of a room", 32), eventsMax, 1)
    .optional()
    .meta({ description: "for which rooms it is", fallback: "all of `events`" }),
});

const events = z
  .record(z.string(), text("the id of a room", 32), {
    error: "expected rooms by event id, such as { Sample: tickets }",
  })
  .superRefine((byId, context) => {
    const ids = Object.keys(byId);
    if (ids.length === 0 || ids.length > eventsMax) {
      context.addIssue({ code: "custom", message: `expected 1 to ${eventsMax} event ids with their rooms` });
    }
    for (const id of ids) {
      if (/^[\w.~-]{1,100}$/.test(id)) continue;
      context.addIssue({
        code: "custom",
        path: [id],
        message: "expected an event id of letters, digits and ._~-, at most 100 characters",
      });
    }
  });

const eventBus = mapping({
  region: text("a region such as eu-west-1", 32, /^[a-z0-9-]+$/).describe("the region of the event bus"),
  name: text("the name or ARN of an event bus", 1_600, /^[\w./:-]+$/)
    .default("default")
    .describe("the event bus"),
  endpoint: checked("a URL", urlFault)
    .optional()
    .meta({ description: "where the service is asked, such as a VPC endpoint", fallback: "the region's" }),
})
  .optional()
  .describe("where [events](homes/aws.md#events) are put; its rooms need `admission_events: true`");

const schema = mapping({
  public_path: checked("a path", pathFault)
    .default("/aws/public")
    .describe("where the public API is, at the issuer's host"),
  private_path: checked("a path", pathFault).default("/aws/private/api").describe("where the private API is"),
  origins: list(checked("an origin", originFault), 100, 1)
    .optional()
    .meta({ description: "whose pages may read the answers", fallback: "all (`*`)" }),
  events: events.describe("the room of each event id"),
  issuer: checked("a URL", urlFault)
    .optional()
    .meta({ description: "`iss` of the tokens, as authorizers compare it letter by letter", fallback: "the issuer" }),
  event_bus: eventBus,
  keys: list(accessKey, keysMax).default([]).describe("access keys for signed requests (SigV4) to the private API"),
})
  .optional()
  .describe("clients of [AWS's Virtual Waiting Room](homes/aws.md)");

export const awsHomeSettings = settingsPart({
  key: "homes.aws",
  isPerIssuer: true,
  schema,
  check: (raw, place) => [
    ...checkPaths(raw, place),
    ...checkEvents(raw, place),
    ...duplicates(raw, entriesAt(raw, [...place, "keys"]), "access_key_id", "access key"),
    ...entriesAt(raw, [...place, "keys"]).flatMap((path) => unknownRooms(raw, [...path, "rooms"])),
  ],
  followedSecrets: (raw, place) =>
    entriesAt(raw, [...place, "keys"]).map((path) => ({
      name: nameOfKey(formatPath(place), String(valueAt(raw, [...path, "access_key_id"]))),
      path,
      places: [
        {
          path: [...path, "secret_access_key"],
          versions: "accepted" as const,
          findFault: secretFault,
        } satisfies SecretPlace,
      ],
    })),
  homes: (home: AwsHomeSettings | null) =>
    [...(home?.events ?? [])].map(([event, room]) => {
      return { room, system: "AWS Virtual Waiting Room", ids: [event], guide: "docs/homes/aws.md" };
    }),
  publicAnswers: (home: AwsHomeSettings | null) => (home === null ? [] : publicAnswersOf(home)),
  read: (written, secretsAt): AwsHomeSettings | null =>
    written === undefined
      ? null
      : {
          publicPath: written.public_path,
          privatePath: written.private_path,
          origins: written.origins ?? null,
          events: new Map(Object.entries(written.events)),
          tokenIssuer: written.issuer ?? null,
          eventBus:
            written.event_bus === undefined
              ? null
              : { ...written.event_bus, endpoint: written.event_bus.endpoint ?? null },
          keys: written.keys.map(({ access_key_id, role, rooms }, at) => ({
            accessKeyId: access_key_id,
            secrets: secretsAt(`keys[${at}].secret_access_key`),
            role,
            rooms: rooms ?? null,
          })),
        },
});

/** How a change of a key's secret is told. @param place `homes.aws`, or of an issuer of several `issuers[1].homes.aws` */
export function nameOfKey(place: string, accessKeyId: string): string {
  return `${place} ${accessKeyId}`;
}

function checkPaths(raw: unknown, place: Path): Fault[] {
  const [ofPublic, ofPrivate] = [pathAt("public_path", "/aws/public"), pathAt("private_path", "/aws/private/api")];
  const areApart = !`${ofPublic}/`.startsWith(`${ofPrivate}/`) && !`${ofPrivate}/`.startsWith(`${ofPublic}/`);
  return areApart
    ? []
    : [faultAt(raw, [...place, "private_path"], "expected a path that is not within public_path, nor around it")];

  function pathAt(key: string, usual: string): string {
    return String(valueAt(raw, [...place, key]) ?? usual);
  }
}

/** Each event has a room of this issuer, of which every visitor may take a place without more being asked. */
function checkEvents(raw: unknown, place: Path): Fault[] {
  const path = [...place, "events"];
  const written = valueAt(raw, path);
  if (!isObject(written)) return [];
  const rooms = entriesAt(raw, [...place.slice(0, -2), "rooms"]);
  const clients = entriesAt(raw, [...place.slice(0, -2), "clients"]);
  const byId = new Map(rooms.map((room) => [valueAt(raw, [...room, "id"]), room]));
  const seen = new Map<unknown, string>();
  return Object.entries(written).flatMap(([event, id]) => {
    if (typeof id !== "string") return [];
    const room = byId.get(id);
    if (clients.some((client) => valueAt(raw, [...client, "client_id"]) === event)) {
      // Both are signed with the issuer's keys, and many a site looks at `aud` alone.
      return [
        faultAt(raw, [...path, event], "is a client_id, where its tokens could pass as ID tokens: choose another name"),
      ];
    }
    if (room === undefined) return [faultAt(raw, [...path, event], `no such room of this issuer`)];
    const other = seen.get(id);
    seen.set(id, event);
    if (other !== undefined)
      return [faultAt(raw, [...path, event], `${other} has the same room: each event needs its own`)];
    if (isSilentFor(raw, place, room)) {
      return [
        faultAt(
          raw,
          [...path, event],
          `the room ${id} needs admission_events: true, since its events are put on event_bus`,
        ),
      ];
    }
    const asks = whatIsAsked(raw, room);
    return asks === null
      ? []
      : [
          faultAt(
            raw,
            [...path, event],
            `the room ${id} has ${asks}, which clients of this interface cannot answer: choose another room, or take that away`,
          ),
        ];
  });
}

/** Which event a room has to tell, that a bus is sent. */
function isSilentFor(raw: unknown, place: Path, room: Path): boolean {
  const hasBus = valueAt(raw, [...place, "event_bus"]) !== undefined;
  return hasBus && valueAt(raw, [...room, "admission_events"]) !== true;
}

/** What a room asks that no client of this interface can answer; null for nothing. */
function whatIsAsked(raw: unknown, room: Path): string | null {
  // No client of this interface reports a visit: each admission would end while its tokens go on.
  const mustBeSeen = valueAt(raw, [...room, "admission", "first_visit_within"]) != null;
  return askedOfVisitors(raw, room) ?? (mustBeSeen ? "admission.first_visit_within" : null);
}

/** AWS makes 40 characters. */
function secretFault(value: string): string | null {
  return /^[\x21-\x7e]{40,128}$/.test(value)
    ? null
    : "expected 40 to 128 printable characters: openssl rand -hex 32 makes them";
}
