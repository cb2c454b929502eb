import { useConsole } from "../../frame/console.ts";
import type { Entry } from "./entries.ts";
import { kinds, peopleOf, type TimelineFilter } from "./filter.ts";
import { texts } from "./texts.ts";

interface TimelineFilterProps {
  readonly filter: TimelineFilter;
  readonly entries: readonly Entry[];
  onFilter(filter: TimelineFilter): void;
}

/** Which of what was read is shown. */
export function TimelineFilterBar({ filter, entries, onFilter }: TimelineFilterProps) {
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
