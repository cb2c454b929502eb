import { useEffect, useRef, useState } from "preact/hooks";
import type { Api } from "../api/api.ts";
import { createHistory, type History } from "./history.ts";
import { type Company, type Heard, listen } from "./live-figures.ts";

const tickMs = 1_000;

interface Live {
  readonly heard: Heard | null;
  readonly history: History;
  /** The gateway's time; by this computer's clock before the first news. */
  readonly nowMs: number;
  /** `performance.now()`. */
  readonly elapsedMs: number;
  /** Null where no room is open, or nothing was told of it yet. */
  readonly company: Company | null;
}

/**
 * The latest news, and the second in which they are looked at: they grow old even where nothing comes.
 *
 * @param room that is open on the screen, and that others see its operator in; null for none
 */
export function useLive(api: Api, room: string | null, onEnded: () => void): Live {
  const [heard, setHeard] = useState<Heard | null>(null);
  const [company, setCompany] = useState<Company | null>(null);
  const [elapsedMs, setElapsedMs] = useState(() => performance.now());
  const history = useRef<History>();
  history.current ??= createHistory();
  const kept = history.current;

  // A room that there is not would be refused, and all figures with it.
  const isKnown = heard?.figures.rooms.some((each) => each.room === room) === true;
  const address = isKnown ? `/admin/live?room=${encodeURIComponent(room ?? "")}` : "/admin/live";

  useEffect(() => {
    const look = () => setElapsedMs(performance.now());
    const timer = setInterval(look, tickMs);
    // A browser slows the timer of a hidden page: the age must be right as soon as the page is seen again.
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, []);
  useEffect(() => {
    const stop = listen(address, {
      heard(news) {
        kept.hear(news.figures);
        setHeard(news);
        setElapsedMs(news.heardMs);
      },
      met: setCompany,
      async refused() {
        const principal = await api.readSession().catch(() => undefined);
        if (principal === null) onEnded();
        return principal !== null;
      },
    });
    return () => {
      stop();
      setCompany(null);
    };
  }, [api, address]);

  const nowMs = heard === null ? Date.now() : Date.parse(heard.figures.at) + elapsedMs - heard.heardMs;
  return { heard, history: kept, nowMs, elapsedMs, company };
}
