/** Where secrets stand in a raw document, and what holds for the values at each place. */
import { redisUrlFault } from "../../lib/redis-url.ts";
import { entriesAt, issuerPaths } from "../checks/places.ts";
import { type Path, valueAt } from "../resolve/raw-document.ts";
import type { VersionsWanted } from "./secret-source.ts";
import { readSigningKey } from "./signing-key.ts";

const MAC_KEY_LENGTH_MIN = 32;
const CLIENT_SECRET_LENGTH_ADVISED = 16;

export const KEY_PURPOSES = ["tickets", "signing", "cookies"] as const;
export type KeyPurpose = (typeof KEY_PURPOSES)[number];

export interface SecretPlace {
  readonly path: Path;
  readonly versions: VersionsWanted;
  /** What is wrong with the value, without repeating it; null when nothing is. */
  readonly findFault: (value: string) => string | null;
  readonly findWarnings?: (value: string) => readonly string[];
}

/** The places whose values together are one client's secrets, or one issuer's keys for one purpose. The first counts most. */
export interface SecretGroup {
  readonly issuerIndex: number;
  /** Of the client, or of the list of keys. */
  readonly path: Path;
  /** Null for a client's. */
  readonly purpose: KeyPurpose | null;
  readonly places: readonly SecretPlace[];
}

export function secretGroups(raw: unknown): SecretGroup[] {
  return issuerPaths(raw).flatMap((issuer, issuerIndex): SecretGroup[] => [
    ...entriesAt(raw, [...issuer, "clients"]).map((path) => {
      return { issuerIndex, path, purpose: null, places: placesOfClient(raw, path) };
    }),
    ...KEY_PURPOSES.map((purpose) => {
      const path = [...issuer, "keys", purpose];
      return { issuerIndex, path, purpose, places: placesOfKeys(raw, path, purpose) };
    }),
  ]);
}

/** `ignoreStoreUrl`: the environment names another store, so the file's is not looked at. */
export function secretPlaces(raw: unknown, ignoreStoreUrl: boolean): SecretPlace[] {
  const hasStoreUrl = !ignoreStoreUrl && valueAt(raw, ["store", "type"]) === "redis";
  const storeUrl: SecretPlace = { path: ["store", "url"], versions: "current", findFault: redisUrlFault };
  const ofSignIn: Path = ["admin", "sign_in"];
  const hasSignIn = valueAt(raw, ofSignIn) !== undefined;
  const signIn: SecretPlace = {
    path: [...ofSignIn, "client_secret"],
    versions: "current",
    findFault: clientSecretFault,
    findWarnings: clientSecretWarnings,
  };
  return [
    ...(hasStoreUrl ? [storeUrl] : []),
    ...(hasSignIn ? [signIn] : []),
    ...secretGroups(raw).flatMap((group) => group.places),
  ];
}

function placesOfClient(raw: unknown, client: Path): SecretPlace[] {
  const common = { findFault: clientSecretFault, findWarnings: clientSecretWarnings };
  return [
    { ...common, path: [...client, "client_secret"], versions: "accepted" as const },
    { ...common, path: [...client, "previous_client_secret"], versions: "extra" as const },
  ].filter(({ path }) => valueAt(raw, path) !== undefined);
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
