import { useEffect, useState } from "preact/hooks";
import { take } from "../api/api.ts";
import { useConsole } from "../frame/console.ts";
import type { Figures } from "../frame/live.ts";

type Forecast = Pick<Figures, "line_ends_at" | "waiting">;

const typingPauseMs = 300;
/** The line goes on meanwhile; a room that has just opened has no forecast yet. */
const everyMs = 10_000;

/** The forecast at another rate, asked for when the operator has stopped typing, and again as the line goes on. */
export function useForecast(room: string, wanted: number | null): Forecast | null {
  const { api } = useConsole();
  const [forecast, setForecast] = useState<Forecast | null>(null);
  useEffect(() => {
    setForecast(null);
    if (wanted === null) return;
    let isWanted = true;
    const load = async () => {
      const body = { outflow_per_minute: wanted };
      const answer = take(api.ask.POST("/admin/rooms/{room}/forecast", { params: { path: { room } }, body }));
      const latest = await answer.catch(() => null);
      if (!isWanted) return;
      if (latest !== null) setForecast(latest);
      timer = setTimeout(load, everyMs);
    };
    let timer = setTimeout(load, typingPauseMs);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [room, wanted]);
  return forecast;
}
