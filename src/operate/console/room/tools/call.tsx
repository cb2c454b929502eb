import { useRef, useState } from "preact/hooks";
import { useConsole } from "../../frame/console.ts";
import { callNext } from "../../parts/actions.tsx";
import { LineForm } from "../../parts/elements.tsx";
import { texts } from "../texts.ts";
import { readCount } from "./pace.tsx";
import type { ToolProps } from "./tool-props.ts";

/** Lets so many more in. */
export function Call({ room, actions }: Pick<ToolProps, "room" | "actions">) {
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
  );
}
