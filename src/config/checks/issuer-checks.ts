/** What must hold between the issuers: of a document that nobody has checked yet, and of the keys in use. */

import type { IssuerConfig, KeyMaterial } from "../resolve/config.ts";
import { formatPath, valueAt } from "../resolve/raw-document.ts";
import type { Environment } from "../secrets/secret-source.ts";
import type { ValuesByPlace } from "../secrets/secret-values.ts";
import { keyPairOf, readSigningKey } from "../secrets/signing-key.ts";
import { describeValue, type Fault, faultAt } from "./faults.ts";
import { entriesAt, hasIssuerList, ISSUER_KEYS, issuerPaths, repeated } from "./places.ts";
import { issuerFault } from "./urls.ts";

export function checkIssuers(raw: unknown): Fault[] {
  const mixed = ISSUER_KEYS.filter((key) => hasIssuerList(raw) && valueAt(raw, [key]) !== undefined);
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

const PURPOSES = ["tickets", "signing", "cookies"] as const;
type Purpose = (typeof PURPOSES)[number];

interface OwnedKey<Place> {
  readonly issuer: string;
  readonly place: Place;
  /** Alike for equal keys, however they are written. */
  readonly names: readonly string[];
}

/** What one issuer has signed must be worth nothing at another: places of keys that an earlier issuer has, with one that is there. */
function shared<Place>(keys: readonly OwnedKey<Place>[]): (readonly [Place, first: Place])[] {
  const owners = new Map<string, OwnedKey<Place>>();
  return keys.flatMap((key) => {
    const first = key.names.map((name) => owners.get(name)).find((owner) => owner && owner.issuer !== key.issuer);
    for (const name of key.names) if (!owners.has(name)) owners.set(name, key);
    return first === undefined ? [] : [[key.place, first.place] as const];
  });
}

/** By the keys that the document names. */
export function checkKeysApart(raw: unknown, secrets: ValuesByPlace): Fault[] {
  const keys = issuerPaths(raw).flatMap((issuer) =>
    PURPOSES.flatMap((purpose) =>
      entriesAt(raw, [...issuer, "keys", purpose]).map((place) => {
        const values = secrets.get(formatPath(place)) ?? [];
        const nameOf = purpose === "signing" ? signingKeyName : String;
        return { issuer: formatPath(issuer), place, names: values.map((value) => `${purpose} ${nameOf(value)}`) };
      }),
    ),
  );
  return shared(keys).map(([place, first]) =>
    faultAt(raw, place, `the same key as ${formatPath(first)}: each issuer needs its own`),
  );
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

/** By the keys in use, wherever they come from: one fault for each issuer, and each place that it shares keys with. */
export function findSharedKeys(
  issuers: readonly Pick<IssuerConfig, "issuer" | "keys" | "secretsFile">[],
  byIssuer: ReadonlyMap<string, KeyMaterial>,
): Fault[] {
  const keys = issuers.flatMap(({ issuer, keys, secretsFile }) =>
    PURPOSES.flatMap((purpose) => {
      const place = keys[purpose].length > 0 ? `keys.${purpose} of ${issuer}` : secretsFile;
      return namesOf(byIssuer.get(issuer), purpose).map((name) => ({ issuer, place, names: [`${purpose} ${name}`] }));
    }),
  );
  const faults = shared(keys).map(([place, first]) => sharedKey(place, first));
  return [...new Map(faults.map((fault) => [`${fault.path} ${fault.message}`, fault])).values()];
}

function namesOf(keys: KeyMaterial | undefined, purpose: Purpose): readonly string[] {
  if (keys === undefined) return [];
  if (purpose === "tickets") return keys.tickets.map(({ secret }) => Buffer.from(secret).toString("base64"));
  return purpose === "signing" ? keys.signing.map(keyPairOf) : keys.cookies;
}

function sharedKey(path: string, other: string): Fault {
  const message =
    `has a key that is also in ${other}: each issuer needs its own. Take it away from the issuer that it was not made for ` +
    "(move its secrets file away, and new keys are made), whose places and sessions are void then";
  return { path, value: null, message };
}

/** Of a single issuer, which the environment may name, too. */
export function missingIssuer(raw: unknown, env: Environment): Fault[] {
  const isMapping = typeof raw === "object" && raw !== null && !Array.isArray(raw);
  const isGiven = (env.USHER_ISSUER ?? "") !== "" || !isMapping || "issuer" in raw || hasIssuerList(raw);
  const message = "required: the public address of Usher, such as https://queue.example.com (or set USHER_ISSUER)";
  return isGiven ? [] : [faultAt(raw, ["issuer"], message)];
}

/** The variable names one issuer, and there are several. */
export function ambiguousIssuer(raw: unknown, env: Environment): Fault[] {
  const { USHER_ISSUER: written = "" } = env;
  const message = "the file has a list of issuers, and this names one: leave the variable out";
  return written !== "" && hasIssuerList(raw) ? [{ path: "USHER_ISSUER", value: describeValue(written), message }] : [];
}
