import { useConsole } from "../../frame/console.ts";
import type { Figures } from "../../frame/live.ts";
import { step } from "../../parts/actions.tsx";
import { texts } from "../texts.ts";
import type { ToolProps } from "./tool-props.ts";

/** Stops the line at once, or lets it go on. Of a room that is over it tells where its figures are. */
export function Pause({ room, figures, actions }: Omit<ToolProps, "settings">) {
  const { api, linkTo, speech } = useConsole();
  const next = pauseStep(figures);
  if (next === null) {
    const after = linkTo({ room, name: "after" });
    return (
      <p class="tool is-over">
        {speech.text(texts.over)} {after && <a href={after.href}>{speech.text(after.title)}</a>}
      </p>
    );
  }
  const act = () => step(api, room, next);
  return (
    <button
      type="button"
      class={`tool large ${next === "resume" ? "go-on" : "danger"}`}
      id="control-pause"
      disabled={actions.isBusy}
      aria-busy={actions.isBusy}
      onClick={() => void actions.carryOut(speech.text(texts.done[next]), act, true)}
    >
      {speech.text(texts.steps[next])}
    </button>
  );
}

/** What the large button does; null of a room that is over. A room that was found empty waits for an operator, too. */
export function pauseStep({ phase, holds }: Pick<Figures, "phase" | "holds">): "pause" | "resume" | null {
  if (phase === "ended") return null;
  return holds.includes("operator") || holds.includes("recovered") ? "resume" : "pause";
}
