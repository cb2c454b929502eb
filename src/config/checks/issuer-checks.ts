/** What must hold between the issuers: of a document that nobody has checked yet, and of the keys in use. */

import type { IssuerConfig, KeysConfig } from "../config.ts";
import { formatPath, hasIssuerList, ISSUER_KEYS, issuerPaths, repeated, valueAt } from "../raw-document.ts";
import { keyPairOf, readSigningKey } from "../secrets/keys.ts";
import type { ValuesByPlace } from "../secrets/resolve-secrets.ts";
import { KEY_PURPOSES, type KeyPurpose, keyGroups } from "../secrets/secret-places.ts";
import type { Environment } from "../secrets/secret-source.ts";
import { type SettingsPart, topOf } from "../settings-part.ts";
import { describeValue, type Fault, faultAt } from "./faults.ts";
import { issuerFault } from "./urls.ts";

export function checkIssuers(raw: unknown, parts: readonly SettingsPart[]): Fault[] {
  const ofIssuers = [...ISSUER_KEYS, ...new Set(parts.flatMap((part) => (part.isPerIssuer ? [topOf(part)] : [])))];
  const mixed = ofIssuers.filter((key) => hasIssuerList(raw) && valueAt(raw, [key]) !== undefined);
  const hosts = issuerPaths(raw).map((issuer) => [...issuer, "issuer"]);
  return [
    ...mixed.map((key) =>
      faultAt(raw, [key], "issuers is given too, and each of its entries has its own: leave one of the two out"),
    ),
    ...repeated(hosts, (path) => hostOf(valueAt(raw, path))).map(([path, first]) =>
      faultAt(raw, path, `another issuer has the same host: ${formatPath(first)}; each needs its own`),
    ),
  ];
}

/** Requests find their issuer by the host, so the scheme makes no difference. */
function hostOf(issuer: unknown): string | undefined {
  if (typeof issuer !== "string" || issuerFault(issuer) !== null) return undefined;
  const { protocol, hostname, port } = new URL(issuer);
  return `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`;
}

interface PlacedKeys<Place> {
  readonly issuer: string;
  readonly place: Place;
  readonly purpose: KeyPurpose;
  readonly texts: readonly string[];
}

/** What one issuer has signed must be worth nothing at another: places of keys that an earlier issuer has, with one that is there. */
function shared<Place>(keys: readonly PlacedKeys<Place>[]): (readonly [Place, first: Place])[] {
  const owners = new Map<string, PlacedKeys<Place>>();
  return keys.flatMap((key) => {
    const names = key.texts.map((text) => `${key.purpose} ${key.purpose === "signing" ? signingKeyName(text) : text}`);
    const first = names.map((name) => owners.get(name)).find((owner) => owner && owner.issuer !== key.issuer);
    for (const name of names) if (!owners.has(name)) owners.set(name, key);
    return first === undefined ? [] : [[key.place, first.place] as const];
  });
}

/** One RSA key has many spellings, and may be written for another algorithm. */
function signingKeyName(written: string): string {
  try {
    return keyPairOf(readSigningKey(written));
  } catch {
    // Told where the key is checked.
    return written;
  }
}

/** By the keys that the document names. */
export function checkKeysApart(raw: unknown, secrets: ValuesByPlace): Fault[] {
  const keys = keyGroups(raw).flatMap(({ of: { issuerIndex, purpose }, places }) =>
    places.map(({ path }) => {
      return { issuer: String(issuerIndex), place: path, purpose, texts: secrets.get(formatPath(path)) ?? [] };
    }),
  );
  return shared(keys).map(([place, first]) =>
    faultAt(raw, place, `the same key as ${formatPath(first)}: each issuer needs its own`),
  );
}

/** By the keys in use, wherever they come from: one fault for each issuer, and each place that it shares keys with. */
export function findSharedKeys(issuers: readonly Issuer[], inUse: ReadonlyMap<string, KeysConfig>): Fault[] {
  const keys = issuers.flatMap(({ issuer, keys, secretsFile }) =>
    KEY_PURPOSES.map((purpose) => {
      const place = keys[purpose].length > 0 ? `keys.${purpose} of ${issuer}` : secretsFile;
      return { issuer, place, purpose, texts: inUse.get(issuer)?.[purpose] ?? [] };
    }),
  );
  const faults = shared(keys).map(([place, first]) => sharedKey(place, first));
  return [...new Map(faults.map((fault) => [`${fault.path} ${fault.message}`, fault])).values()];
}

type Issuer = Pick<IssuerConfig, "issuer" | "keys" | "secretsFile">;

function sharedKey(path: string, other: string): Fault {
  const message =
    `has a key that is also in ${other}: each issuer needs its own. Take it away from the issuer that it was not made for ` +
    "(move its secrets file away, and new keys are made), whose places and sessions are void then";
  return { path, value: null, message };
}

/** A single issuer is named in the file or by the variable; of several, each in the file. */
export function checkIssuerVariable(raw: unknown, { USHER_ISSUER: written = "" }: Environment): Fault[] {
  if (written !== "") {
    const message = "the file has a list of issuers, and this names one: leave the variable out";
    return hasIssuerList(raw) ? [{ path: "USHER_ISSUER", value: describeValue(written), message }] : [];
  }
  const isMapping = typeof raw === "object" && raw !== null && !Array.isArray(raw);
  const message = "required: the public address of Usher, such as https://queue.example.com (or set USHER_ISSUER)";
  return !isMapping || "issuer" in raw || hasIssuerList(raw) ? [] : [faultAt(raw, ["issuer"], message)];
}
