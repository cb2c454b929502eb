import { useConsole } from "../../../operate/console/frame/console.ts";
import { reasonInWords } from "../../../operate/console/room/timeline/words.ts";
import type { FairnessReport } from "../shared/create-report.ts";
import { texts } from "./texts.ts";

/** The report's figures, and what came in between. */
export function ReportFigures({ report: { json } }: { readonly report: FairnessReport }) {
  const { nowMs, speech } = useConsole();
  const { admissions, counts, wait_ms: waits, outflow, interruptions, recoveries, from, to } = json;
  const time = (at: string) => speech.clock(Date.parse(at), nowMs);
  const number = (value: number | undefined) => (value === undefined ? "–" : speech.number(value));
  const over = outflow.windows_over_limit;
  const facts: readonly (readonly [string, string])[] = [
    [speech.text(texts.report.admitted), number(admissions.total)],
    [speech.text(texts.report.joined), number(counts?.joined)],
    [speech.text(texts.report.noShows), number(counts?.no_shows)],
    [speech.text(texts.report.left), number(counts?.left)],
    [speech.text(texts.report.medianWait), waits === null ? "–" : speech.age(waits.p50)],
    [speech.text(texts.report.longestWait), waits === null ? "–" : speech.age(waits.max)],
    [speech.text(texts.report.peak), number(outflow.largest_60_seconds)],
    [speech.text(texts.report.overLimit), over === null ? speech.text(texts.report.noLimit) : number(over)],
  ];
  return (
    <>
      {from !== null && to !== null && <p>{speech.text(texts.report.span, { from: time(from), to: time(to) })}</p>}
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <h3>{speech.text(texts.report.incidents)}</h3>
      {interruptions.length + recoveries.length === 0 && <p>{speech.text(texts.report.noIncidents)}</p>}
      <ul class="findings">
        {interruptions.map(({ kind, reason, from: since, to: until }) => (
          <li key={since}>
            {speech.text(texts.report.interruptions[kind], { from: time(since), to: time(until) })}
            {reason !== null && `, ${reasonInWords(reason, speech)}`}
          </li>
        ))}
        {recoveries.map(({ at }) => (
          <li key={at}>{speech.text(texts.report.recovered, { at: time(at) })}</li>
        ))}
      </ul>
    </>
  );
}
