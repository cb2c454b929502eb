import { useRef, useState } from "preact/hooks";
import type { AdminAnswers } from "../../client/index.ts";
import { take } from "../api/api.ts";
import { type RequestState, useRequest } from "../api/requests.ts";
import { useConsole } from "../frame/console.ts";
import type { Figures } from "../frame/live.ts";
import { texts as frameTexts } from "../frame/texts.ts";
import { ProblemNote } from "../parts/elements.tsx";
import { beginOf, type Charts, chartsOf, type Mark, type Range, ranges } from "./chart-data.ts";
import { ChartTable } from "./chart-table.tsx";
import { Plot } from "./plot.tsx";
import { texts } from "./texts.ts";

/** Figures are recorded every ten seconds. */
const everyMs = 10_000;

export interface Recorded extends Pick<RequestState<AdminAnswers["Statistics"]>, "problem"> {
  readonly range: Range;
  setRange(range: Range): void;
  /** Null before they are known. */
  readonly charts: Charts | null;
}

/** What was recorded, read again as it goes on. What was read last stays where that fails, with the problem. */
export function useRecorded(room: string, figures: Figures | null): Recorded {
  const { api, nowMs } = useConsole();
  const [range, setRange] = useState<Range>("15m");
  const scheduled = [figures?.prequeue_at ?? null, figures?.opens_at ?? null];
  const latestMs = useRef(nowMs);
  latestMs.current = nowMs;
  const send = () => {
    const from = new Date(beginOf(range, scheduled, latestMs.current)).toISOString();
    const query = { from, ...(range !== "sale" && { step: "10s" }) };
    return take(api.ask.GET("/admin/rooms/{room}/statistics", { params: { path: { room }, query } }));
  };
  const { answer, problem } = useRequest(send, { of: [room, range, scheduled.join()], everyMs });
  return { range, setRange, problem, charts: answer && chartsOf(answer, figures?.max_active ?? null) };
}

interface Shown {
  readonly recorded: Recorded;
  readonly marks: readonly Mark[];
}

/** How the sale goes: one curve of those who wait, one of those who enter, and what was done. */
export function SaleChart({ recorded: { range, setRange, charts, problem }, marks }: Shown) {
  const { speech } = useConsole();
  const [sale] = charts?.charts ?? [];
  return (
    <div class="charts">
      <div class="charts-head">
        <h2 id="charts-title">{speech.text(texts.charts.sale)}</h2>
        <fieldset class="segments">
          <legend class="unseen">{speech.text(texts.range)}</legend>
          {ranges.map((each) => (
            <label key={each}>
              <input type="radio" name="range" checked={each === range} onChange={() => setRange(each)} />
              <span>{speech.text(texts.ranges[each])}</span>
            </label>
          ))}
        </fieldset>
      </div>
      {problem && <ProblemNote problem={problem} speech={speech} />}
      {charts === null && problem === null && <p>{speech.text(frameTexts.loading)}</p>}
      {charts !== null && charts.seconds.length === 0 && <p>{speech.text(texts.soon)}</p>}
      {charts !== null && sale !== undefined && charts.seconds.length > 0 && (
        <figure class={problem ? "stale" : undefined} aria-labelledby="charts-title">
          <Plot chart={sale} seconds={charts.seconds} marks={marks} />
          <ChartTable chart={sale} seconds={charts.seconds} />
        </figure>
      )}
    </div>
  );
}

/** The others, drawn once somebody wants them. */
export function MoreCharts({ recorded: { charts }, marks }: Shown) {
  const { speech } = useConsole();
  const [isOpen, setOpen] = useState(false);
  const [, ...others] = charts?.charts ?? [];
  if (charts === null || charts.seconds.length === 0) return null;
  return (
    <details class="charts" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{speech.text(texts.more)}</summary>
      {isOpen && (
        <div class="plots">
          {others.map((chart) => (
            <figure key={chart.name}>
              <figcaption>{speech.text(texts.charts[chart.name])}</figcaption>
              <Plot chart={chart} seconds={charts.seconds} marks={marks} />
              <ChartTable chart={chart} seconds={charts.seconds} />
            </figure>
          ))}
        </div>
      )}
    </details>
  );
}
