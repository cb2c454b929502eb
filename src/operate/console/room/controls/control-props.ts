import type { Actions } from "../../actions/use-actions.ts";
import type { Figures } from "../../live/live-figures.ts";
import type { Settings } from "../use-settings.ts";

/** What each control of a room knows. */
export interface ControlProps {
  readonly room: string;
  readonly figures: Figures;
  /** Null before they are known. */
  readonly settings: Settings | null;
  readonly actions: Actions;
}
