/** Whether what one issuer has signed would be worth something at another, by the keys in use, wherever they come from. */
import type { IssuerConfig, KeyMaterial } from "../resolve/config.ts";
import { keyPairOf } from "../secrets/signing-key.ts";
import type { Fault } from "./faults.ts";

type Purpose = "tickets" | "signing" | "cookies";
const purposes: readonly Purpose[] = ["tickets", "signing", "cookies"];

/** One fault for each issuer, and each place that it shares keys with. */
export function findSharedKeys(
  issuers: readonly Pick<IssuerConfig, "issuer" | "keys" | "secretsFile">[],
  byIssuer: ReadonlyMap<string, KeyMaterial>,
): Fault[] {
  const owners = new Map<string, (typeof issuers)[number]>();
  return issuers.flatMap((own) => {
    const shared = new Map<string, Fault>();
    for (const purpose of purposes) {
      for (const key of identify(byIssuer.get(own.issuer), purpose)) {
        const name = `${purpose} ${key}`;
        const owner = owners.get(name);
        if (owner === undefined) owners.set(name, own);
        else if (owner !== own) {
          const fault = faultOf(placeOf(own, purpose), placeOf(owner, purpose));
          shared.set(`${fault.path} ${fault.message}`, fault);
        }
      }
    }
    return [...shared.values()];
  });
}

/** Alike for equal keys, however they are written. */
function identify(keys: KeyMaterial | undefined, purpose: Purpose): readonly string[] {
  if (keys === undefined) return [];
  if (purpose === "tickets") return keys.tickets.map(({ secret }) => Buffer.from(secret).toString("base64"));
  return purpose === "signing" ? keys.signing.map(keyPairOf) : keys.cookies;
}

function placeOf({ issuer, keys, secretsFile }: Pick<IssuerConfig, "issuer" | "keys" | "secretsFile">, of: Purpose) {
  return keys[of].length > 0 ? `keys.${of} of ${issuer}` : secretsFile;
}

function faultOf(path: string, other: string): Fault {
  const message =
    `has a key that is also in ${other}: each issuer needs its own. Take it away from the issuer that it was not made for ` +
    "(move its secrets file away, and new keys are made), whose places and sessions are void then";
  return { path, value: null, message };
}
