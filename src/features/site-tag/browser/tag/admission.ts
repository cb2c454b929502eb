/**
 * A visit to the room and back: the visitor is sent there, the deep link is found again on return, and the token is verified by Usher once;
 * the answer is stored in this browser until the admission lapses. `usher.fetch()` turns a 401 of forward authentication, or of
 * `usher/verify`, into such a visit.
 */

import { admissionsMax, leavingMs, targetLengthMax, visitsMax, visitsWithinMs } from "./limits.ts";
import { after, ask, deviceMs, enterUrl, here, isNumber, page, resolve, type VisitOptions } from "./watch.ts";

export interface Guarded {
  /** False where the page is shown because nobody could say. */
  admitted: boolean;
  sub?: string;
  /** Seconds since 1970. */
  admitted_until?: number;
  /** Just handed over, and good for a minute at most: for the site's own server, which has to verify it. */
  token?: string;
}

/** An admission, with its room's address, from when and until when: by the device's clock alone, compared with no other. */
type Stored = [url: string, fromMs: number, untilMs: number, admission: Guarded];

/**
 * What the token says, or what an earlier one said; undefined without an admission.
 *
 * @param url the room's
 * @param token empty for none
 * @throws where Usher does not say: no visitor is sent to a room that is not there, and the token is good for another try
 */
export const readAdmission = async (url: string, token: string): Promise<Guarded | undefined> => {
  const nowMs = deviceMs();
  const live = (browserList() as Stored[]).filter((each) => each?.[1] <= nowMs && nowMs < each[2]);
  const current = live.find((each) => each[0] === url);
  if (!current || token) {
    const answer = await (await ask(`${url}/admission`, { method: "POST", body: token })).json();
    if (answer.admitted === true && isNumber(answer.for_ms)) {
      // Where a site cannot store it, its next page asks at the room again.
      browserList(
        [[url, nowMs, nowMs + answer.for_ms, answer], ...live.filter((each) => each !== current)].slice(
          0,
          admissionsMax,
        ),
      );
      return { ...answer, token };
    }
    if (answer.admitted !== false) throw answer;
  }
  return current?.[3];
};

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
    // Without loading the page; a router of the site that is already running sees the change.
    here.replace(back);
  }
  return token;
};

export interface FetchOptions extends VisitOptions {
  /** Whose answers count beside the page's own origin. They must let the page read `WWW-Authenticate`. */
  origins?: readonly string[];
}

/** Every other answer, and every fault, is passed on as it is. @returns what takes it back */
export const wrapFetch = (options: FetchOptions): (() => void) => {
  const plain = page.fetch;
  comeBack();

  const wrapped: typeof fetch = async (...request) => {
    const response = await plain(...request);
    if (
      response.status === 401 &&
      response.headers.get("WWW-Authenticate")?.includes(`Bearer realm="${options.room}"`) &&
      [here.origin, ...(options.origins ?? [])].includes(resolve(response.url).origin) &&
      visit(options)
    ) {
      await new Promise((go) => after(go, leavingMs));
    }
    return response;
  };
  page.fetch = wrapped;
  return () => {
    if (page.fetch === wrapped) page.fetch = plain;
  };
};

/** @param list replaces what is stored. @returns what is stored; nothing where storing is refused, or it is not ours */
const storedIn = (area: "localStorage" | "sessionStorage", list?: unknown[]): unknown[] => {
  try {
    if (list) page[area].usher = JSON.stringify(list);
    return [...JSON.parse(page[area].usher)];
  } catch {
    return [];
  }
};

/** Of all tabs. */
export const browserList = (list?: unknown[]) => storedIn("localStorage", list);
/** Of this tab, until it is closed. */
export const tabList = (list?: unknown[]) => storedIn("sessionStorage", list);
