/** Sends a visitor to the room, and finds the deep link again when they are back. */
import { enterUrl, type RoomChoice } from "./room.ts";

export interface VisitOptions extends RoomChoice {
  /** Where the visitor comes back to; by default to the page at hand. The deep link is gone on to from there. */
  target?: string | undefined;
}

const backKey = "usher:back";
const visitsKey = "usher:visits";
/** A page that goes to the room more often is not helped by another visit. */
const visitsMax = 3;
const visitsWithinMs = 60_000;
/** Characters; Usher takes none that is longer. */
const targetLengthMax = 4_096;
/** That the visitor came back with; empty for none. */
let token = "";

/**
 * Goes to the room, and says so. The page of before is left out of the history: it was not to be seen.
 *
 * @returns false after too many visits, which led to nothing
 */
export function visit(choice: VisitOptions): boolean {
  const { href } = location;
  const address = choice.target ?? href.replace(/#.*/, "");
  const entrance = enterUrl(choice, address.length > targetLengthMax ? "" : address);
  try {
    const nowMs = Date.now();
    const known: number[] = JSON.parse(sessionStorage.getItem(visitsKey) ?? "[]");
    const visits = known.filter((ms) => ms > nowMs - visitsWithinMs);
    if (visits.length >= visitsMax) return false;
    sessionStorage.setItem(visitsKey, JSON.stringify([...visits, nowMs]));
    sessionStorage.setItem(backKey, href);
  } catch {
    // Nothing is kept for this page: a visitor who was there just now is not sent again.
    if (token) return false;
  }
  location.replace(entrance);
  return true;
}

/**
 * Takes the token out of the address, before anybody copies it, and puts the deep link there: no fragment goes to a server, so
 * this alone has kept it.
 *
 * @returns the token; empty for none
 */
export function comeBack(): string {
  const { origin, pathname, search, hash } = location;
  let isToken = false;
  const kept = search
    .slice(1)
    .split("&")
    .filter((part) => {
      const [, value] = /^usher_token(?:=(.*))?$/.exec(part) ?? [];
      if (value) token = value;
      isToken ||= !!value;
      return value === undefined;
    });
  const page = origin + pathname + (kept.join("&") && `?${kept.join("&")}`);
  let back = "";
  try {
    back = sessionStorage.getItem(backKey) ?? "";
    sessionStorage.removeItem(backKey);
  } catch {}
  if (isToken) {
    history.replaceState(history.state, "", back.startsWith(`${origin}/`) ? back : page + hash);
  } else if (!hash && back.startsWith(`${page}#`)) {
    // Within the page, and a router that runs already hears of it.
    location.replace(back);
  }
  return token;
}
