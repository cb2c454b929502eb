import type { AdminAnswers } from "../../client/index.ts";
import { useConsole } from "../context.ts";
import { CopyField } from "../parts/copy-field.tsx";

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
      <h2 id="rehearsal-title">{speech.text("rehearsed")}</h2>
      <p>{speech.text("rehearsed.how")}</p>
      {!isMarked && <p>{speech.text("rehearsed.not_marked")}</p>}
      <CopyField label={speech.text("rehearsed.command")} value={command} />
      {last && (
        <>
          <p>
            {speech.text("rehearsed.last", {
              who: last.by.name ?? last.by.id,
              at: speech.time(Date.parse(last.at), nowMs),
              way: speech.text(`rehearsed.way.${last.way}`),
            })}
          </p>
          <dl class="facts">
            <Fact name={speech.text("rehearsed.came")} value={last.arrived} />
            <Fact name={speech.text("rehearsed.joined")} value={last.joined} />
            <Fact name={speech.text("rehearsed.in")} value={last.admitted} />
            <Fact name={speech.text("rehearsed.absent")} value={last.no_shows} />
            <Fact name={speech.text("rehearsed.most")} value={last.most_in_a_minute} />
          </dl>
          <p>{speech.text(exactness(last))}</p>
        </>
      )}
    </section>
  );
}

function exactness({ differences }: NonNullable<RehearsalPartProps["last"]>) {
  if (differences === null) return "rehearsed.uncounted" as const;
  return differences.joined === 0 && differences.admitted === 0
    ? ("rehearsed.exact" as const)
    : ("rehearsed.differs" as const);
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
