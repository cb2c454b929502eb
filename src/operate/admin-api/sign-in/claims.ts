/** What a person may do, by what the provider says of them. */
import { hash } from "node:crypto";
import { ROLES, type Role, type SignInRule } from "../../../config/index.ts";
import { isObject } from "../../../lib/json.ts";
import type { Claims } from "../../../lib/openid/login.ts";

export interface Granted {
  readonly role: Role;
  /** Null for all, and for what is of no room. */
  readonly rooms: readonly string[] | null;
}

/** Of a claim's values so many are looked at: a person may be in very many groups. */
const valuesMax = 2_000;

/**
 * The highest role that a rule gives, in the rooms of those rules that give it: no rule gives more in a room than is written.
 * Null where no rule fits.
 */
export function grantedBy(rules: readonly SignInRule[], claims: Claims): Granted | null {
  const fitting = rules.filter((rule) => fits(rule, claims));
  const role = ROLES.findLast((role) => fitting.some((rule) => rule.role === role));
  if (role === undefined) return null;
  const rooms = fitting.filter((rule) => rule.role === role).map((rule) => rule.rooms ?? null);
  const isForAll = rooms.includes(null);
  return { role, rooms: isForAll ? null : [...new Set(rooms.flatMap((role) => role ?? []))] };
}

/** An address that the provider has not verified is anybody's (OpenID Connect Core 1.0, section 5.7). */
function fits({ claim, value }: SignInRule, claims: Claims): boolean {
  if (claim === "email" && claims.email_verified !== true) return false;
  const supplied = claimAt(claims, claim);
  return Array.isArray(supplied) ? supplied.slice(0, valuesMax).includes(value) : supplied === value;
}

/** A claim by its name, which may itself have dots, or by a path of names with dots between them. */
export function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  for (let dot = path.indexOf("."); dot > 0; dot = path.indexOf(".", dot + 1)) {
    const head = path.slice(0, dot);
    const inner = Object.hasOwn(claims, head) ? claims[head] : undefined;
    if (!isObject(inner)) continue;
    const found = claimAt(inner, path.slice(dot + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The id of a person in logs, the audit and elsewhere; no key is called so, since its id has no colon. */
export function personId(sub: string): string {
  return `person:${/^[\x21-\x7e]{1,120}$/.test(sub) ? sub : hash("sha256", sub)}`;
}

/** What people read: bounded, on one line. */
export function nameOf(claims: Claims): string {
  for (const supplied of [claims.name, claims.preferred_username, claims.email]) {
    const displayed = typeof supplied === "string" ? displayName(supplied) : "";
    if (displayed !== "") return displayed;
  }
  return displayName(String(claims.sub));
}

function displayName(text: string): string {
  return text
    .slice(0, 1_000)
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, "")
    .trim()
    .slice(0, 100);
}
