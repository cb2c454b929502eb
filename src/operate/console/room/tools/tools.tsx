import { BypassControl } from "../../desk/bypass-control.tsx";
import { texts as deskTexts } from "../../desk/texts.ts";
import { VisitorLookup } from "../../desk/visitor-lookup.tsx";
import { mayDo, useConsole } from "../../frame/console.ts";
import { readDraft, textFor } from "../message/draft.ts";
import { texts as messageTexts } from "../message/texts.ts";
import { texts } from "../texts.ts";
import { Call } from "./call.tsx";
import { Message } from "./message.tsx";
import { Pace } from "./pace.tsx";
import { Pause } from "./pause.tsx";
import { Phases } from "./phases.tsx";
import { Stock } from "./stock.tsx";
import { Tool } from "./tool.tsx";
import type { ToolProps } from "./tool-props.ts";

const byRole = {
  operator: ["pause", "pace", "stock", "message", "link", "find", "more"],
  /** For one person at a time. */
  box_office: ["find", "message", "link", "stock"],
} as const;

/** What is done during a sale, in the order in which the role needs it; nothing for those who only read. */
export function Tools(props: ToolProps) {
  const { principal, speech } = useConsole();
  if (!mayDo(principal.role, "box_office")) return null;
  const names = byRole[mayDo(principal.role, "operator") ? "operator" : "box_office"];
  return (
    <section class="tools" aria-label={speech.text(texts.tools)}>
      {names.map((name) => {
        const Each = tools[name];
        return <Each key={name} {...props} />;
      })}
    </section>
  );
}

type Name = (typeof byRole)[keyof typeof byRole][number];

const tools: Readonly<Record<Name, (props: ToolProps) => preact.VNode>> = {
  pause: Pause,
  pace(props) {
    const { speech } = useConsole();
    const { figures, actions } = props;
    const limit = figures.limit_per_minute;
    // Where operators call, a pace is but a bound.
    const isCalled = figures.inlet === "manual";
    const value = limit === null ? speech.text(texts.rate.none) : speech.text(texts.perMinute, { n: limit });
    return isCalled ? (
      <Tool
        field="control-call"
        title={texts.call.title}
        value={speech.text(texts.call.value, { n: figures.serving })}
        actions={actions}
        isAtHand
      >
        <Call {...props} />
      </Tool>
    ) : (
      <Tool field="control-rate" title={texts.rate.tool} value={value} actions={actions} isAtHand>
        <Pace {...props} />
      </Tool>
    );
  },
  stock(props) {
    const { speech } = useConsole();
    const { stock } = props.figures;
    const value = stock === null ? speech.text(texts.stock.none) : speech.number(stock.remaining);
    return (
      <Tool field="control-stock" title={texts.stock.title} value={value} actions={props.actions} isAtHand>
        <Stock {...props} />
      </Tool>
    );
  },
  message(props) {
    const { speech } = useConsole();
    const value = textFor(readDraft(props.settings?.message), navigator.languages);
    return (
      <Tool
        field="control-message"
        title={messageTexts.control}
        value={value === "" ? speech.text(messageTexts.none) : value}
        actions={props.actions}
      >
        <Message {...props} />
      </Tool>
    );
  },
  link({ room, actions }) {
    const { speech } = useConsole();
    const value = speech.text(deskTexts.bypass.value);
    return (
      <Tool field="control-bypass" title={deskTexts.bypass.title} value={value} actions={actions} stays>
        <BypassControl room={room} actions={actions} />
      </Tool>
    );
  },
  find({ room, actions }) {
    const { speech } = useConsole();
    const value = speech.text(deskTexts.lookup.value);
    return (
      <Tool field="control-lookup" title={deskTexts.lookup.title} value={value} actions={actions} stays>
        <VisitorLookup room={room} />
      </Tool>
    );
  },
  more(props) {
    const { speech } = useConsole();
    const isCalled = props.figures.inlet === "manual";
    return (
      <Tool
        field={isCalled ? "control-rate" : "control-call"}
        title={texts.more.title}
        value={speech.text(texts.more.value)}
        actions={props.actions}
      >
        <Phases {...props} />
        {isCalled ? <Pace {...props} /> : <Call {...props} />}
      </Tool>
    );
  },
};
