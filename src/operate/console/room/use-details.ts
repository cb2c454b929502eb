import { useEffect, useState } from "preact/hooks";
import type { AdminAnswers } from "../../client/index.ts";
import { take } from "../api/api.ts";
import { useConsole } from "../frame/console.ts";

type Details = AdminAnswers["Room"];
export type Settings = Details["settings"];

/** What the live figures do not say of a room; null before it is known. @param version of the settings, after which it is read anew */
export function useDetails(room: string, version: number | undefined): Details | null {
  const { api } = useConsole();
  const [details, setDetails] = useState<Details | null>(null);
  useEffect(() => {
    let isWanted = true;
    take(api.ask.GET("/admin/rooms/{room}", { params: { path: { room } } })).then(
      (answer) => isWanted && "settings" in answer && setDetails(answer),
      // The live figures say what is wrong.
      () => undefined,
    );
    return () => {
      isWanted = false;
    };
  }, [room, version]);
  return details;
}
