import { useState } from "preact/hooks";
import { useConsole } from "../../frame/console.ts";
import { change, step } from "../../parts/actions.tsx";
import { texts } from "../texts.ts";
import type { ControlProps } from "./control-props.ts";

/** Stops the line at once, with words for those who wait where there are any; or lets it go on. */
export function PauseControl({ room, figures, actions }: ControlProps) {
  const { api, speech } = useConsole();
  const [message, setMessage] = useState("");
  const isPaused = figures.holds.includes("operator");

  const pause = async () => {
    const text = message.trim();
    // The words first: visitors read why nothing moves. The way back takes both.
    const act = async () => {
      const messageIds = text === "" ? [] : (await change(api, room, { message: text })).requestIds;
      const paused = await step(api, room, "pause");
      return { requestIds: [...messageIds, ...paused.requestIds] };
    };
    if ((await actions.carryOut(speech.text(texts.done.pause), act, true)) === "done") setMessage("");
  };
  const resume = () => actions.carryOut(speech.text(texts.done.resume), () => step(api, room, "resume"), true);

  return (
    <div class="control control-pause">
      <button
        type="button"
        class="large"
        id="control-pause"
        disabled={actions.isBusy}
        onClick={() => void (isPaused ? resume() : pause())}
      >
        {speech.text(isPaused ? texts.pause.resume : texts.pause.pause)}
      </button>
      {!isPaused && (
        <label>
          {speech.text(texts.pause.message)}
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
