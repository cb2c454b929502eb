import type { AdminAnswers } from "../../client/index.ts";
import { useConsole } from "../frame/console.ts";
import { CopyField } from "../parts/elements.tsx";
import { texts } from "./texts.ts";

interface RehearsalPartProps {
  readonly room: string;
  readonly last: AdminAnswers["RehearsalResult"]["last"];
  readonly isMarked: boolean;
}

/** The command that rehearses this room, which runs elsewhere, and what the last one came to. */
export function RehearsalPart({ room, last, isMarked }: RehearsalPartProps) {
  const { nowMs, speech } = useConsole();
  const command = `usher rehearse ${room} --url ${location.origin} --visitors 1000 --minutes 10`;
  return (
    <section class="control" aria-labelledby="rehearsal-title">
      <h2 id="rehearsal-title">{speech.text(texts.rehearsal.title)}</h2>
      <p>{speech.text(texts.rehearsal.how)}</p>
      {!isMarked && <p>{speech.text(texts.rehearsal.notMarked)}</p>}
      <CopyField label={speech.text(texts.rehearsal.command)} value={command} />
      {last && (
        <>
          <p>
            {speech.text(texts.rehearsal.last, {
              who: last.by.name ?? last.by.id,
              at: speech.time(Date.parse(last.at), nowMs),
              way: speech.text(texts.rehearsal.ways[last.way]),
            })}
          </p>
          <dl class="facts">
            <Fact name={speech.text(texts.rehearsal.arrived)} value={last.arrived} />
            <Fact name={speech.text(texts.rehearsal.joined)} value={last.joined} />
            <Fact name={speech.text(texts.rehearsal.admitted)} value={last.admitted} />
            <Fact name={speech.text(texts.rehearsal.noShows)} value={last.no_shows} />
            <Fact name={speech.text(texts.rehearsal.peak)} value={last.most_in_a_minute} />
          </dl>
          <p>{speech.text(exactness(last))}</p>
        </>
      )}
    </section>
  );
}

function exactness({ differences }: NonNullable<RehearsalPartProps["last"]>) {
  if (differences === null) return texts.rehearsal.uncounted;
  return differences.joined === 0 && differences.admitted === 0 ? texts.rehearsal.exact : texts.rehearsal.differs;
}

function Fact({ name, value }: { readonly name: string; readonly value: number }) {
  const { speech } = useConsole();
  return (
    <div>
      <dt>{name}</dt>
      <dd>{speech.number(value)}</dd>
    </div>
  );
}
