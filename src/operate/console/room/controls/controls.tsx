import { BypassControl } from "../../desk/bypass-control.tsx";
import { VisitorLookup } from "../../desk/visitor-lookup.tsx";
import { mayDo, useConsole } from "../../frame/console.ts";
import { texts } from "../texts.ts";
import { CallControl } from "./call-control.tsx";
import type { ControlProps } from "./control-props.ts";
import { MessageControl } from "./message-control.tsx";
import { PauseControl } from "./pause-control.tsx";
import { PhaseControl } from "./phase-control.tsx";
import { RateControl } from "./rate-control.tsx";
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
