import { useRef, useState } from "preact/hooks";
import { useConsole } from "../../frame/console.ts";
import type { Actions } from "../../parts/actions.tsx";
import { ProblemNote } from "../../parts/elements.tsx";
import type { Entry } from "./entries.ts";
import { everything, passes } from "./filter.ts";
import { texts } from "./texts.ts";
import { TimelineFilterBar } from "./timeline-filter.tsx";
import { TimelineRow } from "./timeline-row.tsx";
import { useSteadyEntries } from "./use-held.ts";
import type { TimelineRead } from "./use-timeline.ts";

interface TimelineProps {
  readonly room: string;
  readonly timeline: TimelineRead;
  readonly actions: Actions;
}

/** Who did what here and what happened, the latest first, and the way back. */
export function Timeline({ room, timeline, actions }: TimelineProps) {
  const { speech } = useConsole();
  const [filter, setFilter] = useState(everything);
  const heading = useRef<HTMLHeadingElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const entries = timeline.entries ?? [];
  const { visible, release } = useSteadyEntries(entries, list);
  const isWanted = (entry: Entry) => passes(entry, filter, speech);
  const rows = visible.filter(isWanted);
  const fresh = entries.filter(isWanted).length - rows.length;

  const showFresh = () => {
    release();
    // The button is gone then.
    heading.current?.focus();
    heading.current?.scrollIntoView({ block: "start" });
  };

  return (
    <section class="timeline" aria-labelledby="timeline-title">
      <div class="timeline-head">
        <h2 id="timeline-title" ref={heading} tabIndex={-1}>
          {speech.text(texts.title)}
        </h2>
        <div class="fresh" role="status">
          {fresh > 0 && (
            <button type="button" class="small" onClick={showFresh}>
              {speech.text(texts.newEntries, { n: fresh })}
            </button>
          )}
        </div>
      </div>
      {timeline.problem && <ProblemNote problem={timeline.problem} speech={speech} />}
      <TimelineFilterBar filter={filter} entries={entries} onFilter={setFilter} />
      {timeline.entries !== null && rows.length === 0 && (
        <p>{speech.text(entries.length === 0 ? texts.none : texts.noneMatches, { n: entries.length })}</p>
      )}
      <ol ref={list}>
        {rows.map((entry) => (
          <TimelineRow key={entry.key} entry={entry} actions={actions} />
        ))}
      </ol>
      {timeline.hasOlder && (
        <button type="button" disabled={timeline.isBusy} onClick={() => void timeline.showOlder(isWanted)}>
          {speech.text(texts.older)}
        </button>
      )}
      <p class="exports">
        <a href={`/admin/audit/csv?room=${room}`} download={`${room}-audit.csv`}>
          {speech.text(texts.csv)}
        </a>{" "}
        <a href="/admin/audit/export" download="audit.ndjson">
          {speech.text(texts.export)}
        </a>
      </p>
    </section>
  );
}
