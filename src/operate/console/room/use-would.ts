import { useEffect, useState } from "preact/hooks";
import { take } from "../api/api.ts";
import { useConsole } from "../context.ts";
import type { Figures } from "../live/live-figures.ts";

type Would = Pick<Figures, "line_ends_at" | "waiting">;

const askAfterMs = 300;
/** The line goes on meanwhile; a room that has just opened has no forecast yet. */
const askAgainMs = 10_000;

/** The forecast at another rate, asked for when the operator has stopped typing, and again as the line goes on. */
export function useWould(room: string, wanted: number | null): Would | null {
  const { api } = useConsole();
  const [would, setWould] = useState<Would | null>(null);
  useEffect(() => {
    setWould(null);
    if (wanted === null) return;
    let isWanted = true;
    const ask = async () => {
      const body = { outflow_per_minute: wanted };
      const answer = take(api.ask.POST("/admin/rooms/{room}/forecast", { params: { path: { room } }, body }));
      const forecast = await answer.catch(() => null);
      if (!isWanted) return;
      if (forecast !== null) setWould(forecast);
      timer = setTimeout(ask, askAgainMs);
    };
    let timer = setTimeout(ask, askAfterMs);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [room, wanted]);
  return would;
}
