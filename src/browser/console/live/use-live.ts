import { useEffect, useRef, useState } from "preact/hooks";
import type { Api } from "../api/api.ts";
import { createHistory, type History } from "./history.ts";
import { type Heard, listen } from "./live-figures.ts";

const tickMs = 1_000;

/** The latest news, and the second in which they are looked at: they grow old even where nothing comes. */
export function useLive(api: Api, onEnded: () => void): { heard: Heard | null; history: History; nowMs: number } {
  const [heard, setHeard] = useState<Heard | null>(null);
  const [nowMs, setNowMs] = useState(() => Date.now());
  const history = useRef<History>();
  history.current ??= createHistory();
  const kept = history.current;

  useEffect(() => {
    const look = () => setNowMs(Date.now());
    const timer = setInterval(look, tickMs);
    // A browser slows the timer of a hidden page: the age must be right as soon as the page is seen again.
    document.addEventListener("visibilitychange", look);
    const stop = listen("/admin/live", {
      heard(news) {
        kept.hear(news.figures);
        setHeard(news);
        look();
      },
      async refused() {
        const principal = await api.readSession().catch(() => undefined);
        if (principal === null) onEnded();
        return principal !== null;
      },
    });
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
      stop();
    };
  }, [api]);

  return { heard, history: kept, nowMs };
}
