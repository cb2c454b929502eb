import { useEffect, useState } from "preact/hooks";
import type { AdminAnswers } from "../../client/index.ts";
import { take } from "../api/api.ts";
import { useConsole } from "../frame/console.ts";

/** Pages, languages and ready messages of a room; null before they are known. @param of what they depend on: asked for anew with it */
export function useRoomPages(room: string, of: string): AdminAnswers["RoomPages"] | null {
  const { api } = useConsole();
  const [pages, setPages] = useState<AdminAnswers["RoomPages"] | null>(null);
  useEffect(() => {
    let isWanted = true;
    take(api.ask.GET("/admin/rooms/{room}/pages", { params: { path: { room } } })).then(
      (answer) => isWanted && setPages(answer),
      // A message can be written without them.
      () => undefined,
    );
    return () => {
      isWanted = false;
    };
  }, [room, of]);
  return pages;
}
