import { useState } from "preact/hooks";
import { useSubmission } from "../api/requests.ts";
import { useConsole } from "../frame/console.ts";
import { ProblemNote } from "../parts/elements.tsx";
import type { TimedLink } from "./bypass-control.tsx";
import { LinkToCopy } from "./bypass-control.tsx";
import { texts } from "./texts.ts";
import { makeDebugLink, type Ref, refOfLink, type Visitor } from "./visitors.ts";

/** How it stands with a visitor, and why; the gateway's words are English. */
export function VisitorState({ visitor: { state, may_also_be: others, why } }: { readonly visitor: Visitor }) {
  const { speech } = useConsole();
  const states = others.map((each) => speech.text(texts.states[each])).join(", ");
  return (
    <>
      <p>
        <strong>{speech.text(texts.states[state])}</strong>
      </p>
      <p lang="en" dir="auto">
        {why.text}
      </p>
      {states !== "" && <p class="marks">{speech.text(texts.lookup.alternatives, { states })}</p>}
    </>
  );
}

/** What is known of the visitor's place, what has happened, and a link that shows it to support. */
export function VisitorDetails({
  room,
  visitor,
  by,
}: {
  readonly room: string;
  readonly visitor: Visitor;
  /** What the visitor was found by; null for a ticket. */
  readonly by: Ref | null;
}) {
  const { nowMs, speech } = useConsole();
  const { sub, place, history, updated_at: updatedAt } = visitor;
  const time = (at: string) => speech.clock(Date.parse(at), nowMs);
  // Numbers that are names are written as the visitor's page has them.
  const facts = [
    ["position", place?.position?.toString()],
    ["entry", place?.entry?.toString()],
    ["ahead", place?.ahead == null ? null : speech.number(place.ahead)],
    ["sub", sub],
  ] as const;
  const filled = facts.filter(([, value]) => value !== null && value !== undefined);
  const link = refOfLink(visitor, by);

  return (
    <>
      {filled.length > 0 && (
        <dl class="facts">
          {filled.map(([name, value]) => (
            <div key={name}>
              <dt>{speech.text(texts.place[name])}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {history.length > 0 && (
        <>
          <h3>{speech.text(texts.history.title)}</h3>
          <ul class="history">
            {history.map(({ event, at, is_exact: isExact, detail }) => (
              <li key={`${event} ${at}`}>
                {speech.text(texts.history.events[event])}
                {detail !== null && <> ({detail})</>}
                {at !== null && <>, {isExact ? time(at) : speech.text(texts.history.about, { time: time(at) })}</>}
              </li>
            ))}
          </ul>
        </>
      )}
      <p class="marks">{speech.text(texts.lookup.asOf, { time: time(updatedAt) })}</p>
      {link && <SupportLink room={room} of={link} />}
    </>
  );
}

function SupportLink({ room, of }: { readonly room: string; readonly of: Ref }) {
  const { api, speech } = useConsole();
  const { isBusy, problem, submit } = useSubmission();
  const [link, setLink] = useState<TimedLink | null>(null);
  return (
    <>
      <button
        type="button"
        class="quiet"
        disabled={isBusy}
        aria-describedby="debug-link-why"
        onClick={() => void submit(() => makeDebugLink(api, room, of)).then((created) => created && setLink(created))}
      >
        {speech.text(texts.debugLink.create)}
      </button>
      <p class="marks" id="debug-link-why">
        {speech.text(texts.debugLink.why)}
      </p>
      {problem && <ProblemNote problem={problem} speech={speech} />}
      {link && <LinkToCopy key={link.url} link={link} />}
    </>
  );
}
