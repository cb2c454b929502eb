/**
 * `usher.guard()`: the page of a single-page application is hidden until it is known whether its visitor was admitted. A convenience
 * and no protection: what runs in a browser is its visitor's.
 */
import { isLaterStatus, statusPauseMs } from "../../pages/shared/pacing.ts";
import { inTime } from "../requests.ts";
import { type Guarded, readAdmission } from "./admission.ts";
import { roomUrl, type VisitOptions } from "./room.ts";
import { comeBack, visit } from "./visit.ts";

export interface GuardOptions extends VisitOptions {
  /** An address of the site behind forward authentication or `usher/verify`, which answers 401 without an admission. */
  check?: string | undefined;
  /** After how many seconds `late` applies. */
  wait?: number | string | undefined;
  /** `show`: what becomes of the page when nobody can say by then. Else it stays hidden until somebody can. */
  late?: string | undefined;
  /** The room's `admission_token.audience`, if it has one. */
  audience?: string | undefined;
}

const retryMs = 1_000;
const retryMsMax = 30_000;

/** Resolves when the page is shown. A visitor without an admission goes to the room. @throws TypeError see `roomUrl` */
export function guard(options: GuardOptions): Promise<Guarded> {
  const { check, wait = 3, late } = options;
  const url = roomUrl(options);
  const { documentElement: root } = document;
  root.hidden = true;
  // Whatever the site's own styles make of it. A policy against inline styles does not concern this.
  root.style.setProperty("display", "none", "important");
  let token = comeBack();

  /** Null: the visitor was not admitted. @throws where nobody can say */
  async function ask(): Promise<Guarded | null> {
    if (!check) return readAdmission(url, options.audience ?? url, token);
    const address = new URL(check, location.href);
    if (token) address.searchParams.set("usher_token", token);
    const { status } = await inTime((signal) => fetch(address, { signal, credentials: "include", cache: "no-store" }));
    if (isLaterStatus(status)) throw status;
    return status === 401 ? null : { admitted: true };
  }

  return new Promise((resolve) => {
    let isOver = false;
    const show = (guarded: Guarded) => {
      isOver = true;
      root.style.removeProperty("display");
      root.hidden = false;
      resolve(guarded);
    };
    const timer = setTimeout(() => late === "show" && show({ admitted: false }), Number(wait) * 1_000);
    let failures = 0;
    const attempt = async () => {
      try {
        const found = await ask();
        token = "";
        if (isOver) return;
        if (found || visit(options)) clearTimeout(timer);
        if (found) show(found);
        // Visits that led to nothing are tried again later.
        else throw found;
      } catch {
        if (!isOver) setTimeout(attempt, statusPauseMs(retryMs, failures++, 0, Math.random, retryMsMax));
      }
    };
    attempt();
  });
}
