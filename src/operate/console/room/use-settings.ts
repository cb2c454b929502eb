import { useEffect, useState } from "preact/hooks";
import type { AdminAnswers } from "../../client/index.ts";
import { take } from "../api/api.ts";
import { useConsole } from "../frame/console.ts";

export type Settings = AdminAnswers["Room"]["settings"];

/** The settings in force; null before they are known. @param version after which they are read anew */
export function useSettings(room: string, version: number | undefined): Settings | null {
  const { api } = useConsole();
  const [settings, setSettings] = useState<Settings | null>(null);
  useEffect(() => {
    let isWanted = true;
    take(api.ask.GET("/admin/rooms/{room}", { params: { path: { room } } })).then(
      (answer) => isWanted && "settings" in answer && setSettings(answer.settings),
      // The live figures say what is wrong.
      () => undefined,
    );
    return () => {
      isWanted = false;
    };
  }, [room, version]);
  return settings;
}
