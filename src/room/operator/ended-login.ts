import type { EndedLogin as StoredEndedLogin } from "../../store/contract/room-store.ts";

/** A client that is to be notified that a visitor's admission has ended. */
export interface EndedLogin extends StoredEndedLogin {
  readonly clientId: string;
  readonly sub: string;
  /** Of the admission, in milliseconds. */
  readonly admittedMs: number;
  /** How many times it was taken, this time included. */
  readonly attempt: number;
}

export function readEndedLogin({ id, isLast }: StoredEndedLogin): EndedLogin {
  const [attempt, admittedMs, sub = "", ...clientId] = id.split(":");
  return { id, isLast, sub, clientId: clientId.join(":"), admittedMs: Number(admittedMs), attempt: Number(attempt) };
}

/**
 * How a login is recorded with the admission, so that its client is notified of the end.
 *
 * @param hash of the authorization request
 */
export function loginToTell(hash: string, clientId: string): string {
  return `${hash}:${clientId}`;
}
