import type { FairnessReport } from "../../../room/admission-log/report/create-report.ts";
import { useConsole } from "../context.ts";
import { reasonInWords } from "../room/timeline/words.ts";

/** The report's figures, and what came in between. */
export function ReportFigures({ report: { json } }: { readonly report: FairnessReport }) {
  const { nowMs, speech } = useConsole();
  const { admissions, counts, wait_ms: waits, outflow, interruptions, recoveries, from, to } = json;
  const time = (at: string) => speech.clock(Date.parse(at), nowMs);
  const number = (value: number | undefined) => (value === undefined ? "–" : speech.number(value));
  const over = outflow.windows_over_limit;
  const facts: readonly (readonly [string, string])[] = [
    [speech.text("report.admitted"), number(admissions.total)],
    [speech.text("report.joined"), number(counts?.joined)],
    [speech.text("report.no_shows"), number(counts?.no_shows)],
    [speech.text("report.left"), number(counts?.left)],
    [speech.text("report.wait_half"), waits === null ? "–" : speech.age(waits.p50)],
    [speech.text("report.wait_longest"), waits === null ? "–" : speech.age(waits.max)],
    [speech.text("report.peak"), number(outflow.largest_60_seconds)],
    [speech.text("report.over_limit"), over === null ? speech.text("report.no_limit") : number(over)],
  ];
  return (
    <>
      {from !== null && to !== null && <p>{speech.text("report.span", { from: time(from), to: time(to) })}</p>}
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <h3>{speech.text("report.incidents")}</h3>
      {interruptions.length + recoveries.length === 0 && <p>{speech.text("report.no_incidents")}</p>}
      <ul class="findings">
        {interruptions.map(({ kind, reason, from: since, to: until }) => (
          <li key={since}>
            {speech.text(`report.${kind}`, { from: time(since), to: time(until) })}
            {reason !== null && `, ${reasonInWords(reason, speech)}`}
          </li>
        ))}
        {recoveries.map(({ at }) => (
          <li key={at}>{speech.text("report.recovered", { at: time(at) })}</li>
        ))}
      </ul>
    </>
  );
}
