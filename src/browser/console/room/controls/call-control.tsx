import { useState } from "preact/hooks";
import { callNext } from "../../actions/actions.ts";
import { useConsole } from "../../context.ts";
import type { ControlProps } from "./control-props.ts";
import { readCount } from "./rate.ts";

/** Lets so many more in. */
export function CallControl({ room, actions }: ControlProps) {
  const { api, speech } = useConsole();
  const [written, setWritten] = useState("1");
  const count = readCount(written);
  return (
    <form
      class="control"
      onSubmit={(event) => {
        event.preventDefault();
        if (count !== null) {
          void actions.carryOut(speech.text("done.call", { n: count }), () => callNext(api, room, count));
        }
      }}
    >
      <label for="control-call">{speech.text("call")}</label>
      <div class="row">
        <input
          id="control-call"
          inputMode="numeric"
          autocomplete="off"
          size={7}
          value={written}
          onInput={(event) => setWritten(event.currentTarget.value)}
        />
        <button type="submit" disabled={count === null || actions.isBusy}>
          {speech.text("call.go")}
        </button>
      </div>
    </form>
  );
}
