import type { Figures } from "../../frame/live.ts";
import type { Actions } from "../../parts/actions.tsx";
import type { Settings } from "../use-details.ts";

/** What each tool of a room knows. */
export interface ToolProps {
  readonly room: string;
  readonly figures: Figures;
  /** Null before they are known. */
  readonly settings: Settings | null;
  readonly actions: Actions;
}
