import { type Api, take } from "../api/api.ts";
import { type RequestState, useRequest } from "../api/requests.ts";
import { useConsole } from "../frame/console.ts";
import type { Told } from "./form-model.ts";

const askEveryMs = 3_000;

export interface ToldRoom extends Told {
  readonly title: string;
}

/** A room's settings as the gateway has them now; null where it does not know them yet. @throws ProblemError */
export async function readTold({ ask }: Api, room: string): Promise<ToldRoom | null> {
  const told = await take(ask.GET("/admin/rooms/{room}", { params: { path: { room } } }));
  if (!("settings" in told)) return null;
  const { title, settings, settings_file: file, settings_live: live, document = null } = told;
  return { title, inForce: settings, file, live, document };
}

export function useTold(room: string): RequestState<ToldRoom | null> {
  const { api } = useConsole();
  return useRequest(() => readTold(api, room), { of: [room], everyMs: askEveryMs });
}
