/** What every part of the console may use. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Api, Principal } from "./api/api.ts";
import type { History } from "./live/history.ts";
import type { Company, Heard } from "./live/live-figures.ts";
import type { Route } from "./navigation/route.ts";
import type { Screen } from "./navigation/screen.ts";
import type { Speech } from "./texts/speech.ts";

export interface Console {
  readonly api: Api;
  readonly speech: Speech;
  readonly principal: Principal;
  /** All that there are, in the order of the menu. */
  readonly screens: readonly Screen[];
  readonly history: History;
  /** The latest news; null before the first. */
  readonly heard: Heard | null;
  /** Who else has the room open that is shown; null where that is not known. */
  readonly company: Company | null;
  /** The gateway's time, moved on each second; by this computer's clock before the first news. */
  readonly nowMs: number;
  /** `performance.now()`, moved on each second: for ages and pauses. */
  readonly elapsedMs: number;
  /** The address and the name of a screen, for a link to it; null where there is none, or this principal does not see it. */
  linkTo(route: Route): { readonly href: string; readonly title: Screen["title"] } | null;
  /** Whether this is another screen than the page was loaded with. */
  readonly hasMoved: boolean;
}

export const ConsoleContext = createContext<Console | null>(null);

export function useConsole(): Console {
  const console = useContext(ConsoleContext);
  if (console === null) throw new Error("outside of the console");
  return console;
}
