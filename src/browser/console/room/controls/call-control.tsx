import { useState } from "preact/hooks";
import { callNext } from "../../actions/actions.ts";
import { useConsole } from "../../context.ts";
import { LineForm } from "../../parts/line-form.tsx";
import type { ControlProps } from "./control-props.ts";
import { readCount } from "./rate.ts";

/** Lets so many more in. */
export function CallControl({ room, actions }: ControlProps) {
  const { api, speech } = useConsole();
  const [written, setWritten] = useState("1");
  const count = readCount(written);
  const go = () => {
    if (count === null) return;
    void actions.carryOut(speech.text("done.call", { n: count }), () => callNext(api, room, count));
  };
  return (
    <div class="control">
      <LineForm
        id="control-call"
        label={speech.text("call")}
        go={speech.text("call.go")}
        value={written}
        mayGo={count !== null && !actions.isBusy}
        field={{ inputMode: "numeric", size: 7 }}
        onWritten={setWritten}
        onGo={go}
      />
    </div>
  );
}
