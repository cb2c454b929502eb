/**
 * What stands in the site's page. `usher.mount()`: a link that enters the room, and a countdown, which follow its phases; texts are text, never
 * markup. `usher.guard()`: the page of a single-page application stays hidden until it is known whether its visitor was admitted. That is a
 * convenience and no protection: what runs in a browser is its visitor's.
 */
import type { RoomStatus } from "../../../../room/public-status/status.ts";
import { comeBack, type Guarded, readAdmission, visit } from "./admission.ts";
import { guardPauseMsMax, retryAfterMsMax } from "./limits.ts";
import {
  after,
  ask,
  backoffMs,
  cancel,
  deviceMs,
  enterUrl,
  math,
  type RoomNews,
  resolve,
  roomUrl,
  tree,
  type VisitOptions,
  watch,
} from "./watch.ts";

/** In English, by phase; a site has its own, by attributes `data-usher-…` or by options. */
const words = {
  opens: "Opens in {time}",
  soon: "Opens soon",
  open: "Open now",
  passthrough: "Open now",
  paused: "Paused for a moment",
  ended: "This has ended",
  sold_out: "Sold out",
  join: "Join the waiting room",
  enter: "Enter",
  returns: "Wait for returns",
};
type Texts = { [word in keyof typeof words]?: string };

/** With what ends it, once it is filled. */
type Mounted = HTMLElement & { unmount?: (() => void) | 0 };
/** Seconds. */
const units = { day: 86_400, hour: 3_600, minute: 60, second: 1 };

/**
 * Fills the element. A link that stands in it already is the one that is used, and its own text stays unless a text is given.
 *
 * @returns what ends it. @throws TypeError see `roomUrl`
 */
export const mount = (
  element: Mounted,
  options: VisitOptions & {
    texts?: Texts;
  } = {},
): (() => void) => {
  if (element.unmount) return element.unmount;
  const { dataset } = element;
  const choice = { room: dataset.usherRoom, issuer: dataset.usherIssuer, target: dataset.usherTarget, ...options };
  let news: Partial<RoomNews>;
  const customText = (word: string) =>
    options.texts?.[word as keyof Texts] ?? element.getAttribute(`data-usher-${word.replace("_", "-")}`);
  const textOf = (word: string) => customText(word) ?? words[word as keyof Texts] ?? "";
  const add = (name: string, role = name, tag = "span") => {
    const part = element.appendChild(tree.createElement(tag));
    part.className = `usher-${name}`;
    if (role) part.setAttribute("role", role);
    return part;
  };
  // What stands there may be a translator's by now.
  const say = (part: HTMLElement & { written?: string }, text: string) => {
    if (part.written !== text) part.textContent = part.written = text;
  };
  const existingLink = element.querySelector("a");
  // A timer is not read aloud each second; that the phase has changed is.
  const timer = add("timer");
  const state = add("state", "status");
  const link = existingLink ?? (add("enter", "", "a") as HTMLAnchorElement);
  if (!existingLink) link.href = enterUrl(choice);

  const show = (latest: Partial<RoomNews>) => {
    news = latest;
    const { state: phase = "", early, opens, status } = news;
    const leftMs = (opens as number) - deviceMs();
    // An idle room without a time may let everybody pass.
    const isSoldOut = phase === "sold_out";
    const isToOpen = !isSoldOut && early && (opens || phase !== "idle");
    const label = isSoldOut ? "returns" : isToOpen ? "join" : "enter";
    // Of the page's language, where the words are.
    const countdown =
      !isSoldOut && leftMs > 0
        ? textOf("opens").replace(
            "{time}",
            spanOf(leftMs, customText("opens") && element.closest<HTMLElement>("[lang]")?.lang),
          )
        : "";
    say(timer, countdown);
    say(state, countdown ? "" : textOf(isToOpen ? "soon" : phase));
    if (!existingLink || customText(label)) say(link, textOf(label));
    // Where visitors may wait for what is returned, being sold out is a pause.
    link.hidden = phase === "ended" || (isSoldOut && (status as RoomStatus).phase !== "paused");
    if (dataset.usherState !== phase) dataset.usherState = phase;
  };
  show({});
  const leave = watch(choice, show);
  const ticking = setInterval(() => (element.isConnected ? show(news) : (element.unmount as () => void)()), 1_000);
  element.unmount = () => {
    cancel(ticking);
    leave();
    element.unmount = 0;
  };
  return element.unmount;
};

/** The two largest units, rounded up: it is over when nothing is left. */
const spanOf = (ms: number, language?: string | null): string => {
  let seconds = (ms / 1_000 + 1) | 0;
  const parts: string[] = [];
  try {
    for (const unit in units) {
      const size = units[unit as keyof typeof units];
      if (parts[1] || (!parts[0] && seconds < size)) continue;
      parts.push(((seconds / size) | 0).toLocaleString(language || "en", { style: "unit", unit, unitDisplay: "long" }));
      seconds %= size;
    }
    return parts.join(" ");
  } catch {
    // No language is called so, such as de_DE; or the browser knows no units.
    return language ? spanOf(ms) : `${seconds} s`;
  }
};

/** Resolves when the page is shown. A visitor without an admission goes to the room. @throws TypeError see `roomUrl` */
export const guard = (
  options: VisitOptions & {
    /** An address of the site behind forward authentication or `usher/verify`, which answers 401 without an admission, and 2xx with one. */
    check?: string | undefined;
    /** After how many seconds `late` applies. */
    wait?: number | string | undefined;
    /** `show`: what becomes of the page when nobody can say by then. Else it stays hidden until somebody can. */
    late?: string | undefined;
  },
): Promise<Guarded> => {
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
