import { useRef, useState } from "preact/hooks";
import type { Role } from "../../api/api.ts";
import { mayDo, useConsole } from "../../frame/console.ts";
import { texts as frameTexts } from "../../frame/texts.ts";
import { type Actions, undoRow } from "../../parts/actions.tsx";
import { ProblemNote } from "../../parts/elements.tsx";
import type { Entry, Row } from "./entries.ts";
import { everything, kinds, passes, peopleOf, type TimelineFilter } from "./filter.ts";
import { texts } from "./texts.ts";
import { type TimelineRead, useSteadyEntries } from "./use-timeline.ts";
import { entryInWords } from "./words.ts";

/** Who did what here and what happened, the latest first, and the way back. */
export function Timeline({
  room,
  timeline,
  actions,
}: {
  readonly room: string;
  readonly timeline: TimelineRead;
  readonly actions: Actions;
}) {
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
        <details class="timeline-choice">
          <summary>{speech.text(filter === everything ? texts.kinds.all : texts.chosen)}</summary>
          <TimelineFilterBar filter={filter} entries={entries} onFilter={setFilter} />
        </details>
      </div>
      {timeline.problem && <ProblemNote problem={timeline.problem} speech={speech} />}
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

/** The way back takes the role that its request takes: the message is the box office's, all else in a room the operator's. */
function mayUndo({ inverse, error }: Row, role: Role): boolean {
  if (inverse === null || error !== null) return false;
  const isOfMessage = inverse.method === "PATCH" && Object.keys(inverse.body ?? {}).every((name) => name === "message");
  return mayDo(role, isOfMessage ? "box_office" : "operator");
}

/** When, who, what, and the way back. */
export function TimelineRow({ entry, actions }: { readonly entry: Entry; readonly actions: Actions }) {
  const { api, nowMs, speech, principal } = useConsole();
  const { who, what, detail, refusal } = entryInWords(entry, speech);
  const row = entry.kind === "act" ? entry.row : null;

  return (
    <li class={refusal !== null ? "refused" : entry.kind}>
      <time dateTime={new Date(entry.atMs).toISOString()}>{speech.clock(entry.atMs, nowMs)}</time>{" "}
      <span class="told">
        <strong dir="auto">{who}</strong> <span class="act">{what}</span> <span dir="auto">{detail}</span>
        {refusal !== null && <span> {refusal}</span>}
      </span>
      {row !== null && mayUndo(row, principal.role) && (
        <button
          type="button"
          class="quiet small"
          disabled={actions.isBusy}
          onClick={() => void actions.undo((confirm) => undoRow(api, row.seq, confirm))}
        >
          {speech.text(frameTexts.undo)}
          <span class="unseen">
            {" "}
            {what} {row.seq}
          </span>
        </button>
      )}
    </li>
  );
}

/** Which of what was read is shown. */
export function TimelineFilterBar({
  filter,
  entries,
  onFilter,
}: {
  readonly filter: TimelineFilter;
  readonly entries: readonly Entry[];
  onFilter(filter: TimelineFilter): void;
}) {
  const { speech } = useConsole();
  return (
    <search class="row timeline-filter">
      <label>
        {speech.text(texts.show)}
        <select
          value={filter.kind}
          onChange={({ currentTarget: { value } }) =>
            onFilter({ ...filter, kind: kinds.find((kind) => kind === value) ?? "all" })
          }
        >
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {speech.text(texts.kinds[kind])}
            </option>
          ))}
        </select>
      </label>
      <label>
        {speech.text(texts.by)}
        <select
          value={filter.principal}
          onChange={({ currentTarget: { value } }) => onFilter({ ...filter, principal: value })}
        >
          <option value="">{speech.text(texts.byAnyone)}</option>
          {peopleOf(entries).map(({ id, name }) => (
            <option key={id} value={id} dir="auto">
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        {speech.text(texts.search)}
        <input
          type="search"
          dir="auto"
          value={filter.text}
          onInput={({ currentTarget: { value } }) => onFilter({ ...filter, text: value })}
        />
      </label>
    </search>
  );
}
