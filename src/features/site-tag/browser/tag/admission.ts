/** The admission of a link's visitor: Usher reads the token once, and the answer is stored until the admission lapses. */
import { ask, isNumber } from "./answers.ts";
import { deviceMs } from "./browser.ts";
import { admissionsMax } from "./limits.ts";
import { browserList } from "./storage.ts";

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
