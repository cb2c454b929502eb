import { useConsole } from "../../context.ts";
import { BypassControl } from "../../desk/bypass-control.tsx";
import { VisitorLookup } from "../../desk/visitor-lookup.tsx";
import { mayDo } from "../../parts/roles.ts";
import { CallControl } from "./call-control.tsx";
import type { ControlProps } from "./control-props.ts";
import { MessageControl } from "./message-control.tsx";
import { PauseControl } from "./pause-control.tsx";
import { PhaseControl } from "./phase-control.tsx";
import { RateControl } from "./rate-control.tsx";
import { StockControl } from "./stock-control.tsx";

/** What this operator may do here. */
export function Controls(props: ControlProps) {
  const { principal, speech } = useConsole();
  const isOperator = mayDo(principal.role, "operator");
  return (
    <section class="controls" aria-label={speech.text("controls")}>
      {isOperator && <PauseControl {...props} />}
      {isOperator && <RateControl {...props} />}
      {isOperator && <CallControl {...props} />}
      <MessageControl {...props} />
      <StockControl {...props} />
      <BypassControl {...props} />
      <VisitorLookup room={props.room} />
      {isOperator && <PhaseControl {...props} />}
    </section>
  );
}
