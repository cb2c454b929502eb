import { useEffect, useState } from "preact/hooks";
import { take } from "../api/api.ts";
import { useConsole } from "../context.ts";
import type { Figures } from "../live/live-figures.ts";

type Would = Pick<Figures, "line_ends_at" | "waiting">;

const askAfterMs = 300;

/** The forecast at another rate, asked for when the operator has stopped typing. */
export function useWould(room: string, wanted: number | null): Would | null {
  const { api } = useConsole();
  const [would, setWould] = useState<Would | null>(null);
  useEffect(() => {
    setWould(null);
    if (wanted === null) return;
    let isWanted = true;
    const timer = setTimeout(() => {
      const body = { outflow_per_minute: wanted };
      take(api.ask.POST("/admin/rooms/{room}/forecast", { params: { path: { room } }, body })).then(
        (told) => isWanted && setWould(told),
        () => undefined,
      );
    }, askAfterMs);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [room, wanted]);
  return would;
}
