/** Sends a visitor to the room, and finds the deep link again when they are back. */
import { enterUrl, type VisitOptions } from "./room.ts";

const backKey = "usher:back";
const visitsKey = "usher:visits";
/** A page that goes to the room more often is not helped by another visit. */
const visitsMax = 3;
const visitsWithinMs = 60_000;
/** In which the page has gone, or its visitor has chosen to stay. */
export const leavingMs = 5_000;
/** Characters; Usher takes none that is longer. */
const targetLengthMax = 4_096;
/** That the visitor came back with; empty for none. */
let token = "";
/** A page that is on its way does not set out again: each request for the entrance may be another place in line. */
let leavingUntilMs = 0;

/**
 * Goes to the room, and says so. The page of before is left out of the history: it was not to be seen.
 *
 * @returns false after too many visits, which led to nothing
 */
export function visit(choice: VisitOptions): boolean {
  const { href } = location;
  const address = choice.target ?? href.replace(/#.*/, "");
  const target = address.length > targetLengthMax ? "" : address;
  if (performance.now() < leavingUntilMs) return true;
  const nowMs = Date.now();
  try {
    const visits = JSON.parse(sessionStorage[visitsKey] ?? "[]").filter(
      // One of a clock that has been set back since is not recent.
      (ms: number) => ms <= nowMs && ms > nowMs - visitsWithinMs,
    );
    if (visits.push(nowMs) > visitsMax) return false;
    sessionStorage[visitsKey] = JSON.stringify(visits);
    sessionStorage[backKey] = href;
  } catch {
    // Nothing is kept for this page: a visitor who was there just now is not sent again.
    if (token) return false;
  }
  leavingUntilMs = performance.now() + leavingMs;
  location.replace(enterUrl({ ...choice, target }));
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
  const take = (_part: string, value?: string) => {
    if (value) [token, isToken] = [value, true];
    return "";
  };
  const page = origin + pathname + search.replace(/[?&]usher_token(?:=([^&]*))?(?=&|$)/g, take).replace(/^&/, "?");
  let back = "";
  try {
    back = sessionStorage[backKey] ?? "";
    delete sessionStorage[backKey];
  } catch {}
  if (isToken) {
    history.replaceState(history.state, "", back.startsWith(`${origin}/`) ? back : page + hash);
  } else if (!hash && back.startsWith(`${page}#`)) {
    // Within the page, and a router that runs already hears of it.
    location.replace(back);
  }
  return token;
}
