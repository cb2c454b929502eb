/** Where secrets stand in a raw document, and what holds for the values at each place. */
import { receiverFault } from "../../lib/receiver-address.ts";
import { redisUrlFault } from "../../lib/redis-url.ts";
import { entriesAt, entriesOfIssuers, issuerPaths } from "../checks/places.ts";
import { namesAt, type Path, valueAt } from "../resolve/raw-document.ts";
import type { VersionsWanted } from "./secret-source.ts";
import { readSigningKey } from "./signing-key.ts";

const MAC_KEY_LENGTH_MIN = 32;
const CLIENT_SECRET_LENGTH_ADVISED = 16;
const ADDRESS_LENGTH_MAX = 2_048;
const receivers: Path = ["webhooks", "receivers"];

export const KEY_PURPOSES = ["tickets", "signing", "cookies"] as const;
export type KeyPurpose = (typeof KEY_PURPOSES)[number];

export interface SecretPlace {
  readonly path: Path;
  readonly versions: VersionsWanted;
  /** What is wrong with the value, without repeating it; null when nothing is. */
  readonly findFault: (value: string) => string | null;
  readonly findWarnings?: (value: string) => readonly string[];
}

/** The places whose values together are one client's or webhook's secrets, or one issuer's keys for one purpose. The first counts most. */
export interface SecretGroup {
  readonly issuerIndex: number;
  /** Of the client, of the webhook, or of the list of keys. */
  readonly path: Path;
  readonly purpose: KeyPurpose | "client" | "webhook";
  readonly places: readonly SecretPlace[];
}

export function secretGroups(raw: unknown): SecretGroup[] {
  const ofWebhooks = entriesAt(raw, receivers).map((path): SecretGroup => {
    return { issuerIndex: 0, path, purpose: "webhook", places: placesOfWebhook(raw, path) };
  });
  const ofIssuers = issuerPaths(raw).flatMap((issuer, issuerIndex): SecretGroup[] => [
    ...entriesAt(raw, [...issuer, "clients"]).map((path): SecretGroup => {
      return { issuerIndex, path, purpose: "client", places: placesOfClient(raw, path) };
    }),
    ...KEY_PURPOSES.map((purpose) => {
      const path = [...issuer, "keys", purpose];
      return { issuerIndex, path, purpose, places: placesOfKeys(raw, path, purpose) };
    }),
  ]);
  return [...ofIssuers, ...ofWebhooks];
}

/** Whether the group's values are keys of Usher's own. */
export function isOfKeys(group: SecretGroup): group is SecretGroup & { readonly purpose: KeyPurpose } {
  return group.purpose !== "client" && group.purpose !== "webhook";
}

/** `ignoreStoreUrl`: the environment names another store, so the file's is not looked at. */
export function secretPlaces(raw: unknown, ignoreStoreUrl: boolean): SecretPlace[] {
  const hasStoreUrl = !ignoreStoreUrl && valueAt(raw, ["store", "type"]) === "redis";
  const storeUrl: SecretPlace = { path: ["store", "url"], versions: "current", findFault: redisUrlFault };
  const ofSignIn: Path = ["admin", "sign_in"];
  const hasSignIn = valueAt(raw, ofSignIn) !== undefined;
  return [
    ...(hasStoreUrl ? [storeUrl] : []),
    ...namesAt(raw, ["stores"]).map((name): SecretPlace => {
      return { path: ["stores", name, "url"], versions: "current", findFault: redisUrlFault };
    }),
    ...(hasSignIn ? [secretOfClient([...ofSignIn, "client_secret"])] : []),
    ...entriesAt(raw, receivers).map((path) => addressOfWebhook(raw, path)),
    ...entriesAt(raw, ["challenges"]).map((path): SecretPlace => {
      return { path: [...path, "secret"], versions: "current", findFault: clientSecretFault };
    }),
    ...entriesOfIssuers(raw, "rooms").flatMap((path) => placesOfRoom(raw, path)),
    ...secretGroups(raw).flatMap((group) => group.places),
  ];
}

/** The secret that invitations are signed with, and that by which the provider knows Usher at which visitors sign in. */
function placesOfRoom(raw: unknown, room: Path): SecretPlace[] {
  const signing: Path = [...room, "invitations", "secret"];
  const identity: Path = [...room, "identity"];
  const has = (path: Path) => (valueAt(raw, path) ?? null) !== null;
  return [
    ...(has(signing) ? [{ path: signing, versions: "accepted" as const, findFault: macKeyFault }] : []),
    ...(has(identity) ? [secretOfClient([...identity, "client_secret"])] : []),
  ];
}

/** That by which a provider knows Usher. */
function secretOfClient(path: Path): SecretPlace {
  return { path, versions: "current", findFault: clientSecretFault, findWarnings: clientSecretWarnings };
}

function placesOfClient(raw: unknown, client: Path): SecretPlace[] {
  const common = { findFault: clientSecretFault, findWarnings: clientSecretWarnings };
  return [
    { ...common, path: [...client, "client_secret"], versions: "accepted" as const },
    { ...common, path: [...client, "previous_client_secret"], versions: "extra" as const },
  ].filter(({ path }) => valueAt(raw, path) !== undefined);
}

/** It may be a secret, as Slack's are. */
function addressOfWebhook(raw: unknown, webhook: Path): SecretPlace {
  const allowed = valueAt(raw, ["webhooks", "allowed_hosts"]);
  const hosts = Array.isArray(allowed) ? allowed.filter((host) => typeof host === "string") : [];
  const findFault = (url: string) =>
    url.length > ADDRESS_LENGTH_MAX ? `expected at most ${ADDRESS_LENGTH_MAX} characters` : receiverFault(url, hosts);
  return { path: [...webhook, "url"], versions: "current", findFault };
}

function placesOfWebhook(raw: unknown, webhook: Path): SecretPlace[] {
  const common = { findFault: webhookSecretFault };
  return [
    { ...common, path: [...webhook, "secret"], versions: "accepted" as const },
    { ...common, path: [...webhook, "previous_secret"], versions: "extra" as const },
  ].filter(({ path }, index) => index === 0 || valueAt(raw, path) !== undefined);
}

/** Standard Webhooks: 24 to 64 bytes. */
function webhookSecretFault(value: string): string | null {
  const [, base64] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(value) ?? [];
  const bytes = Buffer.from(base64 ?? "", "base64").length;
  return bytes >= 24 && bytes <= 64
    ? null
    : 'expected whsec_ and 24 to 64 bytes in base64: echo "whsec_$(openssl rand -base64 32)" makes one';
}

function placesOfKeys(raw: unknown, list: Path, purpose: KeyPurpose): SecretPlace[] {
  const findFault = purpose === "signing" ? signingKeyFault : macKeyFault;
  return entriesAt(raw, list).map((path) => ({ path, versions: "key_ring", findFault }));
}

/** RFC 6749, appendix A.2: printable ASCII. */
function clientSecretFault(value: string): string | null {
  return /^[\x20-\x7e]{1,1024}$/.test(value) ? null : "expected at most 1024 printable ASCII characters";
}

function clientSecretWarnings(value: string): string[] {
  return value.length < CLIENT_SECRET_LENGTH_ADVISED
    ? [`fewer than ${CLIENT_SECRET_LENGTH_ADVISED} characters can be guessed: openssl rand -hex 32 makes a good one`]
    : [];
}

function macKeyFault(value: string): string | null {
  return value.length < MAC_KEY_LENGTH_MIN
    ? `expected at least ${MAC_KEY_LENGTH_MIN} characters: openssl rand -hex 32 makes them`
    : null;
}

function signingKeyFault(value: string): string | null {
  try {
    readSigningKey(value);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
