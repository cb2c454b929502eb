import { useState } from "preact/hooks";
import { useConsole } from "../context.ts";
import { change, step } from "./actions.ts";
import type { ControlProps } from "./control-props.ts";

/** Stops the line at once, with words for those who wait where there are any; or lets it go on. */
export function PauseControl({ room, figures, actions }: ControlProps) {
  const { api, speech } = useConsole();
  const [message, setMessage] = useState("");
  const isPaused = figures.holds.includes("operator");

  const pause = async () => {
    const text = message.trim();
    // The words first: who waits reads why, and not only that, nothing moves.
    if (text !== "") {
      const said = await actions.carryOut(speech.text("done.message"), () => change(api, room, { message: text }));
      if (said !== "done") return;
    }
    const paused = await actions.carryOut(speech.text("done.pause"), () => step(api, room, "pause"), true);
    if (paused === "done") setMessage("");
  };
  const resume = () => actions.carryOut(speech.text("done.resume"), () => step(api, room, "resume"), true);

  return (
    <div class="control control-pause">
      <button
        type="button"
        class="large"
        id="control-pause"
        disabled={actions.isBusy}
        onClick={() => void (isPaused ? resume() : pause())}
      >
        {speech.text(isPaused ? "resume" : "pause")}
      </button>
      {!isPaused && (
        <label>
          {speech.text("pause.message")}
          <input
            dir="auto"
            maxLength={500}
            value={message}
            onInput={(event) => setMessage(event.currentTarget.value)}
          />
        </label>
      )}
    </div>
  );
}
