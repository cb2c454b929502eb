/**
 * Runs in the waiting page: asks for the room's public status at the pace the server names, keeps the numbers
 * true, and goes in when it is the visitor's turn. Without this script the page says the same, on request.
 *
 * A plain script in one function: it stands inline in the page and shares nothing.
 */
(() => {
  interface Status {
    title: string;
    phase: string;
    serving: number;
    gaps: [number, number][];
    outflow_limit: number | null;
    outflow_per_minute: number;
    message: string | null;
    poll: { floor_ms: number; ceiling_ms: number; divisor: number };
    updated_at: string | number;
    edition: number;
  }
  type Plural = { [category: string]: string } & { other: string };
  interface Live {
    room: string;
    poll: Status["poll"];
    limitBinds: boolean;
    texts: {
      [name in "aheadNone" | "serving" | "title" | "titleAhead" | "titleNext" | "titlePaused" | "titleTurn"]: string;
    } & { [name in "autoHint" | "turnHint" | "enter"]: string } & {
      ahead: Plural;
      status: { [state: string]: string };
      problem: { offline: string; stale: string };
      estimate: { [name in "none" | "paused" | "soon" | "long"]: string } & {
        [name in "minutes" | "minuteRange" | "hours" | "hourRange"]: Plural;
      };
    };
  }

  const TIMEOUT_MS = 10_000;
  const BACKOFF_MS_MAX = 60_000;
  const STALE_MS = 15_000;
  const MILESTONES = [100, 50, 20, 10, 5, 1, 0];

  const main = document.querySelector("main");
  const liveJson = document.getElementById("live");
  if (!main || !liveJson) return;
  const part = (id: string) => document.getElementById(id) ?? main;
  const say = (id: string, text: string) => {
    const element = part(id);
    if (element.textContent !== text) element.textContent = text;
  };

  const { texts, poll: firstPoll, limitBinds, room } = JSON.parse(liveJson.textContent ?? "") as Live;
  const language = document.documentElement.lang;
  const numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const plurals = new Intl.PluralRules(language);
  const data = main.dataset;
  const position = Number(data.position);
  const edition = Number(data.edition);

  let state = data.state ?? "waiting";
  let title = room;
  let ahead = Number(data.ahead);
  let announcedAhead = ahead;
  let poll = firstPoll;
  let waitSec: number | null = null;
  let updatedMs = Number(data.updatedAt);
  /** The server's clock minus this device's, which may be wrong by hours. */
  let clockOffsetMs = updatedMs - Date.now();
  let failures = 0;
  let lastSuccessMs = Date.now();
  let lastStartMs = 0;
  let request: AbortController | undefined;
  let timer = 0;
  let isEntering = false;
  /** When entering may be tried, on this device's clock; Infinity while it is not the visitor's turn. */
  let enterAtMs = Infinity;

  const isHidden = () => document.visibilityState === "hidden";
  const jitter = (ms: number) => ms * (0.7 + 0.6 * Math.random());
  const fill = (text: string, values: { [name: string]: string }) =>
    text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
  const plural = (choices: Plural, count: number, values: { [name: string]: string }) =>
    fill(choices[plurals.select(count)] ?? choices.other, values);
  const number = (value: number) => numbers.format(value);

  /** The same range as src/waiting-room/estimate.ts gives, in seconds. Null where nothing is known. */
  function estimateWait(status: Status): [number, number] | null {
    const limit = limitBinds ? status.outflow_limit : null;
    const perMinute = limit ?? status.outflow_per_minute;
    if (status.phase === "paused" || perMinute < 0.5) return null;
    const sec = ((ahead + 1) * 60) / perMinute;
    const spread = limit === null ? 0.35 : 0.1;
    const [low, high] = [sec * (1 - spread), sec * (1 + spread)];
    return [
      Math.floor(low / (low < 60 ? 5 : 60)) * (low < 60 ? 5 : 60),
      Math.ceil(high / (high < 60 ? 5 : 60)) * (high < 60 ? 5 : 60),
    ];
  }

  /** The same sentence as src/http/pages/estimate-text.ts makes. */
  function estimateText([lowSec, highSec]: [number, number]): string {
    const words = texts.estimate;
    if (highSec <= 60) return words.soon;
    if (lowSec >= 86_400) return words.long;
    const hours = highSec > 5_400;
    const round = (sec: number, outwards: (value: number) => number) => {
      const value = sec / (hours ? 3_600 : 60);
      const step = hours ? (value < 10 ? 0.5 : 1) : value <= 10 ? 1 : 5;
      return Math.max(hours ? 0.5 : 1, outwards(value / step) * step);
    };
    const low = round(lowSec, Math.floor);
    const high = round(highSec, Math.ceil);
    const shown = { n: number(high), low: number(low), high: number(high) };
    if (low === high) return plural(hours ? words.hours : words.minutes, high, shown);
    return plural(hours ? words.hourRange : words.minuteRange, high, shown);
  }

  /** Positions that nobody holds do not count. */
  function countAhead(status: Status): number {
    let count = position - status.serving - 1;
    for (const [from, to] of status.gaps) {
      count -= Math.max(0, Math.min(to, position - 1) - Math.max(from, status.serving + 1) + 1);
    }
    return Math.max(0, count);
  }

  /** What the bar counts from: the number of people ahead when this place was first seen in this browser. */
  function firstAhead(): number {
    const key = `usher.first.${data.room}`;
    try {
      const known = JSON.parse(localStorage.getItem(key) ?? "null") as number[] | null;
      if (known && known[0] === edition && known[1] === position) return known[2] ?? ahead;
      localStorage.setItem(key, JSON.stringify([edition, position, ahead]));
    } catch {
      // Storage is closed to us, or holds something else: count from here.
    }
    return ahead;
  }
  const startAhead = Math.max(1, firstAhead());

  function showLine(): void {
    const people = ahead === 0 ? texts.aheadNone : plural(texts.ahead, ahead, { n: number(ahead) });
    say("ahead", people);
    const bar = part("progress") as HTMLProgressElement;
    bar.max = startAhead;
    bar.value = Math.max(0, startAhead - ahead);
    bar.setAttribute("aria-valuetext", people);
    const lead =
      state === "turn"
        ? texts.titleTurn
        : state === "paused"
          ? texts.titlePaused
          : state === "held" || ahead === 0
            ? texts.titleNext
            : fill(texts.titleAhead, { n: number(ahead) });
    document.title = fill(texts.title, { lead, room: title });
    const passed = (count: number) => MILESTONES.some((milestone) => count <= milestone && milestone < announcedAhead);
    if (state === "waiting" && passed(ahead)) {
      announcedAhead = ahead;
      say("milestone", people);
    }
  }

  function showAge(): void {
    const ageSec = Math.max(0, Math.round((Date.now() + clockOffsetMs - updatedMs) / 1_000));
    // Steps of five seconds, then of whole minutes: true, and calm to look at.
    const [value, unit] =
      ageSec < 60 ? [5 * Math.floor(ageSec / 5), "second" as const] : [Math.floor(ageSec / 60), "minute" as const];
    say("updated", new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(-value, unit));
    const isStale = Date.now() - lastSuccessMs > STALE_MS || ageSec * 1_000 > STALE_MS;
    if (failures > 0 && (isStale || !navigator.onLine)) {
      say("problem", navigator.onLine ? texts.problem.stale : texts.problem.offline);
    }
  }

  function setState(next: string): void {
    if (next === state) return;
    state = next;
    data.state = next;
    say("status", texts.status[next] ?? "");
    say("reason", "");
  }

  /** @param isFresh whether the numbers are of now; old ones are shown, and open no door. */
  function take(status: Status, isFresh: boolean): void {
    if (status.edition !== edition) {
      comeIn(0);
      return;
    }
    poll = status.poll;
    title = status.title;
    say("room", title);
    say("serving", fill(texts.serving, { n: number(status.serving) }));
    say("message-text", status.message ?? "");
    part("message").hidden = !status.message;
    data.serving = String(status.serving);
    ahead = countAhead(status);
    data.ahead = String(ahead);
    const wait = estimateWait(status);
    waitSec = wait ? wait[1] : null;
    const words = texts.estimate;
    say("estimate", status.phase === "paused" ? words.paused : wait ? estimateText(wait) : words.none);
    if (status.phase === "paused") {
      setState("paused");
      enterAtMs = Infinity;
    } else if (isFresh) {
      if (status.serving >= position) comeIn(0);
      else setState("waiting");
    }
    showLine();
  }

  /** It is the visitor's turn. Enters at once if they are looking; else calls them and waits until they look. */
  function comeIn(afterMs: number): void {
    if (enterAtMs !== Infinity) return;
    enterAtMs = Date.now() + Math.max(afterMs + 300 * Math.random(), pauseBeforeEntry());
    if (state !== "held") {
      setState("turn");
      say("turn", texts.status.turn ?? "");
      say("hint", texts.turnHint);
      say("enter", texts.enter);
    }
    showLine();
    tryToEnter();
  }

  function tryToEnter(): void {
    const inMs = enterAtMs - Date.now();
    if (isEntering || enterAtMs === Infinity || isHidden()) return;
    if (inMs > 0) setTimeout(tryToEnter, inMs);
    else enter();
  }

  const ENTRY_KEY = "usher.entry";
  function lastEntry(): { at: number; n: number } {
    return JSON.parse(sessionStorage.getItem(ENTRY_KEY) ?? '{"at":0,"n":0}') as { at: number; n: number };
  }

  /**
   * A page that sends itself back to itself must not do so for ever: at least 1 s between two entries, doubling
   * up to 30 s while they lead nowhere. A held place asks as the server says, or it would lose its turn at the door.
   */
  function pauseBeforeEntry(): number {
    try {
      const { at, n } = lastEntry();
      const sinceMs = Date.now() - at;
      if (sinceMs < 0 || sinceMs > 60_000) return 0;
      return Math.max(0, (state === "held" ? 1_000 : Math.min(30_000, 1_000 * 2 ** n)) - sinceMs);
    } catch {
      return 3_000;
    }
  }

  function enter(): void {
    isEntering = true;
    try {
      const { at, n } = lastEntry();
      const goesOn = state !== "held" && Date.now() - at < 60_000;
      sessionStorage.setItem(ENTRY_KEY, JSON.stringify({ at: Date.now(), n: goesOn ? n + 1 : 0 }));
    } catch {
      // Then pauseBeforeEntry waits its fixed time.
    }
    // Without the fragment, which would make this a jump within the page.
    location.replace(location.href.split("#")[0] ?? "");
    // Should the way in be blocked by a dead connection, try again.
    setTimeout(() => {
      isEntering = false;
      enterAtMs = Math.min(enterAtMs, Date.now());
      tryToEnter();
    }, TIMEOUT_MS);
  }

  function schedule(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(ask, ms);
  }

  function nextPollMs(): number {
    // Where no rate is known, one person a second is as good a guess as any.
    const waitMs = (waitSec ?? ahead) * 1_000;
    return jitter(Math.min(poll.ceiling_ms, Math.max(poll.floor_ms, waitMs / poll.divisor)));
  }

  async function ask(): Promise<void> {
    if (request) return;
    clearTimeout(timer);
    lastStartMs = Date.now();
    const mine = new AbortController();
    request = mine;
    const timeout = setTimeout(() => mine.abort(), TIMEOUT_MS);
    let retryAfterMs = 0;
    try {
      const response = await fetch(data.statusUrl ?? "", { credentials: "omit", signal: mine.signal });
      retryAfterMs = Math.min(120, Number(response.headers.get("retry-after")) || 0) * 1_000;
      if (!response.ok) throw new Error(String(response.status));
      const status = (await response.json()) as Status;
      const serverMs = Date.parse(response.headers.get("date") ?? "");
      failures = 0;
      lastSuccessMs = Date.now();
      updatedMs = new Date(status.updated_at).getTime();
      data.updatedAt = String(updatedMs);
      const ageMs = Math.max(0, serverMs - updatedMs || 0);
      clockOffsetMs = updatedMs + ageMs - lastSuccessMs;
      take(status, ageMs <= STALE_MS);
      say("problem", ageMs <= STALE_MS ? "" : texts.problem.stale);
      schedule(nextPollMs());
    } catch {
      // Also when the page was frozen or the answer was no JSON: what is on screen stays, with its age.
      failures++;
      const backoffMs = Math.min(BACKOFF_MS_MAX, poll.floor_ms * 2 ** Math.min(10, failures - 1));
      schedule(Math.max(retryAfterMs, jitter(backoffMs)));
    }
    clearTimeout(timeout);
    request = undefined;
    showAge();
  }

  /** The visitor is looking, or the connection is back: ask now, though never more than once a second. */
  function askSoon(): void {
    if (isHidden()) return;
    tryToEnter();
    schedule(Math.max(0, lastStartMs + 1_000 - Date.now()));
    showAge();
  }

  addEventListener("online", askSoon);
  addEventListener("offline", showAge);
  document.addEventListener("visibilitychange", askSoon);
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    // Back from the back/forward cache: whatever was under way has died.
    request?.abort();
    request = undefined;
    isEntering = false;
    askSoon();
  });
  part("enter").addEventListener("click", (event) => {
    event.preventDefault();
    enter();
  });

  data.live = "";
  say("hint", texts.autoHint);
  showLine();
  showAge();
  setInterval(showAge, 5_000);
  if (state === "held") comeIn(Number(data.retryMs) || 1_000);
  schedule(state === "store_away" || state === "recovering" ? jitter(poll.floor_ms) : nextPollMs());
})();
