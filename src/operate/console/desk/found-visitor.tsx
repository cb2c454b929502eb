import { useState } from "preact/hooks";
import { useConsole } from "../context.ts";
import { ProblemNote } from "../parts/problem-note.tsx";
import { useAsking } from "../parts/use-asking.ts";
import { LinkShown } from "./link-shown.tsx";
import type { MadeLink } from "./made-link.ts";
import { texts } from "./texts.ts";
import { makeDebugLink, type Ref, refOfLink, type Visitor } from "./visitors.ts";

/** How it stands with a visitor, and why; the gateway's words are English. */
export function FoundState({ found: { state, may_also_be: others, why } }: { readonly found: Visitor }) {
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

interface FoundDetailsProps {
  readonly room: string;
  readonly found: Visitor;
  /** What was asked; null for a ticket. */
  readonly asked: Ref | null;
}

/** What is known of the visitor's place, what has happened, and a link that shows it to support. */
export function FoundDetails({ room, found, asked }: FoundDetailsProps) {
  const { nowMs, speech } = useConsole();
  const { sub, place, history, updated_at: updatedAt } = found;
  const time = (at: string) => speech.clock(Date.parse(at), nowMs);
  // Numbers that are names are written as the visitor's page has them.
  const facts = [
    ["position", place?.position?.toString()],
    ["entry", place?.entry?.toString()],
    ["ahead", place?.ahead == null ? null : speech.number(place.ahead)],
    ["sub", sub],
  ] as const;
  const known = facts.filter(([, value]) => value !== null && value !== undefined);
  const link = refOfLink(found, asked);

  return (
    <>
      {known.length > 0 && (
        <dl class="facts">
          {known.map(([name, value]) => (
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
  const { isBusy, problem, ask } = useAsking();
  const [link, setLink] = useState<MadeLink | null>(null);
  return (
    <>
      <button
        type="button"
        class="quiet"
        disabled={isBusy}
        aria-describedby="debug-link-why"
        onClick={() => void ask(() => makeDebugLink(api, room, of)).then((made) => made && setLink(made))}
      >
        {speech.text(texts.debugLink.create)}
      </button>
      <p class="marks" id="debug-link-why">
        {speech.text(texts.debugLink.why)}
      </p>
      {problem && <ProblemNote problem={problem} speech={speech} />}
      {link && <LinkShown key={link.url} link={link} />}
    </>
  );
}
