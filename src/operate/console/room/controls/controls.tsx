import { useRef, useState } from "preact/hooks";
import { BypassControl } from "../../desk/bypass-control.tsx";
import { VisitorLookup } from "../../desk/visitor-lookup.tsx";
import { mayDo, useConsole } from "../../frame/console.ts";
import { callNext, change, step } from "../../parts/actions.tsx";
import { LineForm } from "../../parts/elements.tsx";
import { texts } from "../texts.ts";
import type { ControlProps } from "./control-props.ts";
import { MessageControl } from "./message-control.tsx";
import { PhaseControl } from "./phase-control.tsx";
import { RateControl, readCount } from "./rate-control.tsx";
import { StockControl } from "./stock-control.tsx";

/** What moves the line, for those who may. */
export function LineControls(props: ControlProps) {
  const { principal, speech } = useConsole();
  if (!mayDo(principal.role, "operator")) return null;
  return (
    <section class="controls" aria-label={speech.text(texts.controls.line)}>
      <PauseControl {...props} />
      <RateControl {...props} />
      <CallControl {...props} />
      <PhaseControl {...props} />
    </section>
  );
}

/** What is said to visitors, and done for one of them. */
export function VisitorControls(props: ControlProps) {
  const { speech } = useConsole();
  return (
    <section class="controls" aria-label={speech.text(texts.controls.visitors)}>
      <MessageControl {...props} />
      <StockControl {...props} />
      <BypassControl {...props} />
      <VisitorLookup room={props.room} />
    </section>
  );
}

/** Lets so many more in. */
export function CallControl({ room, actions }: ControlProps) {
  const { api, speech } = useConsole();
  const [written, setWritten] = useState("1");
  const count = readCount(written);
  const attempt = useRef<string | null>(null);
  const go = async () => {
    if (count === null) return;
    attempt.current ??= crypto.randomUUID();
    const name = attempt.current;
    const answer = await actions.carryOut(speech.text(texts.done.call, { n: count }), () =>
      callNext(api, room, count, name),
    );
    // Where no answer came back it may have been carried out: pressed again, it is the same call.
    const isSettled = answer === "done" || (answer !== "busy" && answer.status >= 400 && answer.status < 500);
    if (isSettled && attempt.current === name) attempt.current = null;
  };
  const write = (value: string) => {
    attempt.current = null;
    setWritten(value);
  };
  return (
    <div class="control">
      <LineForm
        id="control-call"
        label={speech.text(texts.call.title)}
        go={speech.text(texts.call.call)}
        value={written}
        mayGo={count !== null && !actions.isBusy}
        field={{ inputMode: "numeric", size: 7 }}
        onWritten={write}
        onGo={() => void go()}
      />
    </div>
  );
}

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
