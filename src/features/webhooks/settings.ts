/** `webhooks` of a configuration file: receivers that are there from the start, and hosts to which webhooks may lead. */
import {
  duplicates,
  entriesAt,
  type Fault,
  faultAt,
  flag,
  idText,
  list,
  mapping,
  oneOf,
  type Path,
  readSettings,
  type SecretPlace,
  settingsPart,
  text,
  unknownRooms,
  valueAt,
  writtenSecret,
} from "../../config/index.ts";
import { receiverFault } from "../../lib/receiver-address.ts";
import type { EventTypes } from "../../operate/events/event-types.ts";
import { WEBHOOK_FORMATS } from "./content.ts";
import type { WebhookOfFile } from "./file-webhooks.ts";

const addressLengthMax = 2_048;

/** Receivers are public, by https. Others are listed here, with a port where only that one is meant. */
const allowedHost = text(
  "a host name or address, with a port where only that is meant",
  255,
  /^[a-z0-9.-]+(:\d{1,5})?$|^\[[0-9a-f:.]+\](:\d{1,5})?$/,
);
const receiver = mapping({
  id: idText("a name for the webhook", 64, /^[\w.-]+$/).describe("its name in the admin API, logs and metrics"),
  url: writtenSecret
    .optional()
    .describe(
      "the receiver; https. A source of secrets where the address is one, as Slack's are; read when Usher starts",
    ),
  secret: writtenSecret.optional().describe("with which requests are signed: `whsec_` and 24 to 64 bytes in base64"),
  previous_secret: writtenSecret
    .optional()
    .describe("another one with which they are signed, too, [while the receiver changes over](secrets.md)"),
  rooms: list(text("the id of a room", 32), 1_000, 1)
    .optional()
    .meta({ description: "whose events it gets", fallback: "all, and what is of no room" }),
  types: list(text("a type of events such as usher.room.phase_changed, or usher.room.*", 2_048), 50, 1)
    .optional()
    .meta({
      description: "[types](webhooks.md#types), or beginnings of types with `*`",
      fallback: "all but `usher.room.figures` and admissions",
    }),
  format: oneOf("format", WEBHOOK_FORMATS).default("cloudevents").describe("what it is sent"),
  enabled: flag().default(true).describe("`false` keeps events back until it is `true` again"),
  note: text("what the webhook is for", 200).optional().describe("what it is for"),
});
const withoutSecrets = receiver.omit({ url: true, secret: true, previous_secret: true });

const receiversOf = (raw: unknown, place: Path) => entriesAt(raw, [...place, "receivers"]);

export const webhooksSettings = settingsPart({
  key: "webhooks",
  schema: mapping({
    allowed_hosts: list(allowedHost, 100)
      .default([])
      .describe(
        "hosts of receivers that may have private addresses and take http: a name or address, with `:PORT` where only that port is meant",
      ),
    receivers: list(receiver, 50).default([]).describe("webhooks, beside those that are made at run time"),
  })
    .prefault({})
    .describe("[webhooks](webhooks.md#in-the-configuration-file), and where they may lead"),
  check: (raw, place) => [
    ...duplicates(raw, receiversOf(raw, place), "id", "webhook"),
    ...receiversOf(raw, place).flatMap((path) => unknownRooms(raw, [...path, "rooms"])),
  ],
  // An address may be a secret, as Slack's are.
  secrets: (raw, place) =>
    receiversOf(raw, place).map((path): SecretPlace => {
      return { path: [...path, "url"], versions: "current", findFault: addressFault(raw, place) };
    }),
  followedSecrets: (raw, place) =>
    receiversOf(raw, place).map((path) => {
      return { name: String(valueAt(raw, [...path, "id"])), path, places: placesOfSecrets(raw, path) };
    }),
  // Instead of a receiver somebody may have written its address.
  unquoted: /^webhooks\.receivers(\.url)?$/,
  read: ({ allowed_hosts, receivers }, secretsAt) => ({
    allowedHosts: allowed_hosts,
    receivers: receivers.map(({ url: _, secret: __, previous_secret: previous, ...written }, at): WebhookOfFile => {
      const [url = ""] = secretsAt(`receivers[${at}].url`);
      const older = previous === undefined ? [] : secretsAt(`receivers[${at}].previous_secret`);
      const secrets = [...new Set([...secretsAt(`receivers[${at}].secret`), ...older])];
      return { ...readSettings(withoutSecrets, written), url, secrets };
    }),
  }),
});

/** Types of which there are no events. */
export function unknownTypes(raw: unknown, place: Path, { eventTypes }: { readonly eventTypes: EventTypes }): Fault[] {
  return receiversOf(raw, place)
    .flatMap((path) => entriesAt(raw, [...path, "types"]))
    .flatMap((path) => {
      const fault = eventTypes.findFault(String(valueAt(raw, path)));
      return fault === null ? [] : [faultAt(raw, path, fault)];
    });
}

function addressFault(raw: unknown, place: Path): (url: string) => string | null {
  const allowed = valueAt(raw, [...place, "allowed_hosts"]);
  const hosts = Array.isArray(allowed) ? allowed.filter((host) => typeof host === "string") : [];
  return (url) =>
    url.length > addressLengthMax ? `expected at most ${addressLengthMax} characters` : receiverFault(url, hosts);
}

function placesOfSecrets(raw: unknown, receiver: Path): SecretPlace[] {
  const common = { findFault: secretFault };
  return [
    { ...common, path: [...receiver, "secret"], versions: "accepted" as const },
    { ...common, path: [...receiver, "previous_secret"], versions: "extra" as const },
  ].filter(({ path }, index) => index === 0 || valueAt(raw, path) !== undefined);
}

/** Standard Webhooks: 24 to 64 bytes. */
function secretFault(value: string): string | null {
  const [, base64] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(value) ?? [];
  const bytes = Buffer.from(base64 ?? "", "base64").length;
  return bytes >= 24 && bytes <= 64
    ? null
    : 'expected whsec_ and 24 to 64 bytes in base64: echo "whsec_$(openssl rand -base64 32)" makes one';
}
