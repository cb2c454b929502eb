import { useRef, useState } from "preact/hooks";
import { take } from "../api/api.ts";
import { useRequest } from "../api/requests.ts";
import { useConsole } from "../frame/console.ts";
import type { Figures } from "../frame/live.ts";
import { texts as frameTexts } from "../frame/texts.ts";
import { ProblemNote } from "../parts/elements.tsx";
import { beginOf, chartsOf, type Range, ranges } from "./chart-data.ts";
import { ChartTable } from "./chart-table.tsx";
import { Plot } from "./plot.tsx";
import { texts } from "./texts.ts";

/** Figures are recorded every ten seconds. */
const everyMs = 10_000;

/** How the room went: curves with one cursor, and behind each its figures as a table. */
export function Charts({
  room,
  figures,
  marks,
}: {
  readonly room: string;
  readonly figures: Figures;
  /** When somebody acted, in seconds since 1970. */
  readonly marks: readonly number[];
}) {
  const { speech } = useConsole();
  const [range, setRange] = useState<Range>("15m");
  const { answer: statistics, problem } = useStatistics(room, range, [figures.prequeue_at, figures.opens_at]);
  const plots = statistics && chartsOf(statistics, figures.max_active);

  return (
    <section class="charts" aria-labelledby="charts-title">
      <h2 id="charts-title">{speech.text(texts.title)}</h2>
      <fieldset class="row">
        <legend class="unseen">{speech.text(texts.range)}</legend>
        {ranges.map((each) => (
          <label key={each} class="choice">
            <input type="radio" name="range" checked={each === range} onChange={() => setRange(each)} />
            {speech.text(texts.ranges[each])}
          </label>
        ))}
      </fieldset>
      {problem && <ProblemNote problem={problem} speech={speech} />}
      {plots === null && problem === null && <p>{speech.text(frameTexts.loading)}</p>}
      <p class="marks">{speech.text(texts.marks)}</p>
      <div class={problem ? "plots stale" : "plots"}>
        {plots?.charts.map((chart) => (
          <figure key={chart.name}>
            <figcaption>{speech.text(texts.charts[chart.name])}</figcaption>
            <Plot chart={chart} seconds={plots.seconds} marks={marks} />
            <ChartTable chart={chart} seconds={plots.seconds} />
          </figure>
        ))}
      </div>
    </section>
  );
}

/** What was recorded, read again as it goes on. What was read last stays where that fails, with the problem. */
function useStatistics(room: string, range: Range, scheduled: readonly (string | null)[]) {
  const { api, nowMs } = useConsole();
  const latestMs = useRef(nowMs);
  latestMs.current = nowMs;
  const send = () => {
    const from = new Date(beginOf(range, scheduled, latestMs.current)).toISOString();
    const query = { from, ...(range !== "sale" && { step: "10s" }) };
    return take(api.ask.GET("/admin/rooms/{room}/statistics", { params: { path: { room }, query } }));
  };
  return useRequest(send, { of: [room, range, scheduled.join()], everyMs });
}
