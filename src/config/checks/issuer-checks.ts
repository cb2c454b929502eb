/** What must hold between the issuers of a document that nobody has checked yet. */

import { formatPath, type Path, valueAt } from "../resolve/raw-document.ts";
import type { Environment } from "../secrets/secret-source.ts";
import type { ValuesByPlace } from "../secrets/secret-values.ts";
import { keyPairOf, readSigningKey } from "../secrets/signing-key.ts";
import { describeValue, type Fault, faultAt } from "./faults.ts";
import { entriesAt, hasIssuerList, ISSUER_KEYS, issuerPaths } from "./issuer-paths.ts";
import { issuerFault } from "./urls.ts";

export function checkIssuers(raw: unknown): Fault[] {
  return [...mixedForms(raw), ...repeatedHosts(raw)];
}

function mixedForms(raw: unknown): Fault[] {
  return hasIssuerList(raw)
    ? ISSUER_KEYS.filter((key) => valueAt(raw, [key]) !== undefined).map((key) =>
        faultAt(raw, [key], "issuers is given too, and each of its entries has its own: leave one of the two out"),
      )
    : [];
}

/** Requests find their issuer by the host, so the scheme makes no difference. */
function repeatedHosts(raw: unknown): Fault[] {
  const seen = new Map<string, Path>();
  return issuerPaths(raw).flatMap((issuer) => {
    const path = [...issuer, "issuer"];
    const written = valueAt(raw, path);
    if (typeof written !== "string" || issuerFault(written) !== null) return [];
    const { protocol, hostname, port } = new URL(written);
    const place = `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`;
    const first = seen.get(place);
    if (first !== undefined) {
      return [faultAt(raw, path, `another issuer has the same host: ${formatPath(first)}; each needs its own`)];
    }
    seen.set(place, path);
    return [];
  });
}

/** What one issuer has signed must be worth nothing at another. */
export function checkKeysApart(raw: unknown, secrets: ValuesByPlace): Fault[] {
  return ["tickets", "signing", "cookies"].flatMap((purpose) => {
    const seen = new Map<string, { readonly issuer: Path; readonly path: Path }>();
    return issuerPaths(raw)
      .flatMap((issuer) => entriesAt(raw, [...issuer, "keys", purpose]).map((path) => ({ issuer, path })))
      .flatMap((key) => {
        const values = secrets.get(formatPath(key.path)) ?? [];
        const names = values.map((value) => nameOf(purpose, value));
        const owner = names
          .map((name) => seen.get(name))
          .find((first) => first !== undefined && formatPath(first.issuer) !== formatPath(key.issuer));
        for (const name of names) if (!seen.has(name)) seen.set(name, key);
        return owner === undefined
          ? []
          : [faultAt(raw, key.path, `the same key as ${formatPath(owner.path)}: each issuer needs its own`)];
      });
  });
}

/** One RSA key has many spellings, and may be written for another algorithm. */
function nameOf(purpose: string, written: string): string {
  if (purpose !== "signing") return written;
  try {
    return keyPairOf(readSigningKey(written));
  } catch {
    // Told where the key is checked.
    return written;
  }
}

/** Of a single issuer, which the environment may name, too. */
export function missingIssuer(raw: unknown, env: Environment): Fault[] {
  const isMapping = typeof raw === "object" && raw !== null && !Array.isArray(raw);
  const isGiven = (env.USHER_ISSUER ?? "") !== "" || !isMapping || "issuer" in raw || hasIssuerList(raw);
  return isGiven
    ? []
    : [
        faultAt(
          raw,
          ["issuer"],
          "required: the public address of Usher, such as https://queue.example.com (or set USHER_ISSUER)",
        ),
      ];
}

/** The variable names one issuer, and there are several. */
export function ambiguousIssuer(raw: unknown, env: Environment): Fault[] {
  const { USHER_ISSUER: written = "" } = env;
  const message = "the file has a list of issuers, and this names one: leave the variable out";
  return written !== "" && hasIssuerList(raw) ? [{ path: "USHER_ISSUER", value: describeValue(written), message }] : [];
}
