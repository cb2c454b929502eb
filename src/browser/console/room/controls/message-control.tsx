import { useState } from "preact/hooks";
import { change } from "../../actions/actions.ts";
import { useConsole } from "../../context.ts";
import type { Settings } from "../use-settings.ts";
import type { ControlProps } from "./control-props.ts";

/** What stands on every page of the room. */
export function MessageControl({ room, settings, actions }: ControlProps) {
  const { api, speech } = useConsole();
  const inForce = messageText(settings?.message);
  const [written, setWritten] = useState<string | null>(null);
  const value = written ?? inForce;
  const text = value.trim();

  const show = async (message: string | null, said: string) => {
    const shown = await actions.carryOut(said, () => change(api, room, { message }), true);
    if (shown === "done") setWritten(null);
  };

  return (
    <form
      class="control"
      onSubmit={(event) => {
        event.preventDefault();
        if (text !== "") void show(text, speech.text("done.message"));
      }}
    >
      <label for="control-message">{speech.text("message")}</label>
      <textarea
        id="control-message"
        dir="auto"
        rows={2}
        maxLength={2_000}
        value={value}
        onInput={(event) => setWritten(event.currentTarget.value)}
      />
      <div class="row">
        <button type="submit" disabled={text === "" || text === inForce || actions.isBusy}>
          {speech.text("message.show")}
        </button>
        {inForce !== "" && (
          <button
            type="button"
            disabled={actions.isBusy}
            onClick={() => void show(null, speech.text("done.message_back"))}
          >
            {speech.text("message.back")}
          </button>
        )}
      </div>
    </form>
  );
}

/** Of words in several languages, each on its own line. */
function messageText(message: Settings["message"]): string {
  const text = typeof message === "object" && message !== null ? message.text : (message ?? "");
  return typeof text === "string" ? text : Object.values(text).join("\n");
}
