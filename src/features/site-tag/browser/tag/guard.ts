/**
 * `usher.guard()`: the page of a single-page application is hidden until it is known whether its visitor was admitted. A convenience
 * and no protection: what runs in a browser is its visitor's.
 */
import { type Guarded, readAdmission } from "./admission.ts";
import { ask, backoffMs } from "./answers.ts";
import { after, cancel, math, tree } from "./browser.ts";
import { guardPauseMsMax, retryAfterMsMax } from "./limits.ts";
import { resolve, roomUrl, type VisitOptions } from "./room.ts";
import { comeBack, visit } from "./visit.ts";

export interface GuardOptions extends VisitOptions {
  /** An address of the site behind forward authentication or `usher/verify`, which answers 401 without an admission, and 2xx with one. */
  check?: string | undefined;
  /** After how many seconds `late` applies. */
  wait?: number | string | undefined;
  /** `show`: what becomes of the page when nobody can say by then. Else it stays hidden until somebody can. */
  late?: string | undefined;
}

/** Resolves when the page is shown. A visitor without an admission goes to the room. @throws TypeError see `roomUrl` */
export const guard = (options: GuardOptions): Promise<Guarded> => {
  const { check } = options;
  const url = roomUrl(options);
  const { documentElement: root } = tree;
  // Whatever the site's own styles make of it. A policy against inline styles does not concern this.
  root.style.setProperty("display", "none", "important");
  let token = comeBack();

  return new Promise((settle) => {
    let isHidden = true;
    let failures = 0;
    const show = (guarded: Guarded) => {
      root.style.display = "";
      isHidden = root.hidden = false;
      settle(guarded);
    };
    const timer = after(
      () => options.late === "show" && show({ admitted: false }),
      ((options.wait ?? 3) as number) * 1_000,
    );
    const attempt = async () => {
      let leaveAloneMs = 0;
      try {
        let found: Guarded | false | undefined;
        if (check) {
          const address = resolve(check);
          if (token) address.searchParams.set("usher_token", token);
          const { ok, status, headers } = await ask(address, { credentials: "include", cache: "no-store" });
          // Seconds. For a moment in its place the guard's own pace will do.
          leaveAloneMs = 1_000 * (headers.get("Retry-After") as unknown as number);
          // A proxy, or a CDN, has other words for it that the site cannot be reached.
          if (!ok && status !== 401) throw status;
          found = ok && { admitted: true };
        } else found = await readAdmission(url, token);
        token = "";
        if (isHidden && (found || visit(options))) cancel(timer);
        if (found) return show(found);
      } catch {}
      // Visits that led to nothing are tried again later, as answers that are no news.
      if (isHidden)
        after(attempt, math.max(math.min(leaveAloneMs || 0, retryAfterMsMax), backoffMs(failures++, guardPauseMsMax)));
    };
    attempt();
  });
};
