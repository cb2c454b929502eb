/** Sends a visitor to the room, and finds the deep link again when they are back. */
import { after, deviceMs, here } from "./browser.ts";
import { leavingMs, targetLengthMax, visitsMax, visitsWithinMs } from "./limits.ts";
import { enterUrl, type VisitOptions } from "./room.ts";
import { tabList } from "./storage.ts";

/** That the visitor came back with; empty for none. */
let token = "";
/** A page that is on its way does not set out again: each request for the entrance may be another place in line. */
let isLeaving = 0;

/**
 * Goes to the room, and says so. The page of before is left out of the history: it was not to be seen.
 *
 * @returns false after too many visits, which led to nothing
 */
export const visit = (choice: VisitOptions): boolean => {
  const href = here.href;
  const target = choice.target ?? (href.split("#")[0] as string);
  const nowMs = deviceMs();
  if (isLeaving) return true;
  // Beside the deep link. One of a clock that has been set back since is not recent.
  const visits = (tabList() as number[]).filter((ms) => ms <= nowMs && ms > nowMs - visitsWithinMs);
  // Where nothing can be stored, a visitor who was there just now is not sent again.
  if (visits.push(nowMs) > visitsMax || (!tabList([href, ...visits])[0] && token)) return false;
  isLeaving = after(() => {
    isLeaving = 0;
  }, leavingMs);
  here.replace(enterUrl({ ...choice, target: target[targetLengthMax] ? "" : target }));
  return true;
};

/**
 * Takes the token out of the address, before anybody copies it, and puts the deep link there: no fragment goes to a server, so
 * the storage of this tab alone has it.
 *
 * @returns the token; empty for none
 */
export const comeBack = (): string => {
  const { search, hash } = here;
  const query = search
    .replace(/[?&]usher_token=([^&]*)/g, (_part, value: string) => {
      token = value;
      return "";
    })
    .replace(/^&/, "?");
  const page = here.origin + here.pathname + query;
  const [back, ...visits] = tabList() as [string?, ...number[]];
  if (back) tabList(["", ...visits]);
  if (query !== search) {
    history.replaceState(history.state, "", back || page + hash);
  } else if (!hash && back?.startsWith?.(`${page}#`)) {
    // Within the page, and a router that runs already hears of it.
    here.replace(back);
  }
  return token;
};
