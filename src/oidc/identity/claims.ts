/** What of a provider's claims goes on to a room's sites: those that the configuration names, within bounds. */
import { isObject } from "../../lib/json.ts";
import type { Claims } from "../../lib/openid/login.ts";

/** Bytes of them all as JSON, so that a cookie and a code's record hold them. */
export const claimsMax = 2_048;
/** Objects and lists in each other. */
export const claimDepthMax = 5;

export interface PickedClaims {
  readonly claims: Claims;
  /** Names of those that are too large or too deep, and go nowhere. */
  readonly dropped: readonly string[];
}

/**
 * In the order of the names; one that does not fit any more is left out whole, since a part of it would say something else. Whether an
 * address is verified is said of that address alone.
 */
export function pickClaims(provided: Claims, names: readonly string[]): PickedClaims {
  const claims: Record<string, unknown> = {};
  const dropped: string[] = [];
  for (const name of names) {
    const value = Object.hasOwn(provided, name) ? provided[name] : undefined;
    if (value === undefined || value === null) continue;
    const isTooLarge = !isShallow(value, claimDepthMax) || sizeOf({ ...claims, [name]: value }) > claimsMax;
    if (isTooLarge) dropped.push(name);
    else claims[name] = value;
  }
  if (claims.email === undefined) delete claims.email_verified;
  if (claims.phone_number === undefined) delete claims.phone_number_verified;
  return { claims, dropped };
}

/** Whether the ID token has all that goes on, so that nothing more has to be asked for. */
export function hasAll(provided: Claims, names: readonly string[]): boolean {
  return names.every((name) => Object.hasOwn(provided, name));
}

function sizeOf(claims: Claims): number {
  return Buffer.byteLength(JSON.stringify(claims));
}

function isShallow(value: unknown, depth: number): boolean {
  if (Array.isArray(value)) return depth > 0 && value.every((each) => isShallow(each, depth - 1));
  if (isObject(value)) return depth > 0 && Object.values(value).every((each) => isShallow(each, depth - 1));
  return true;
}
