import { useState } from "preact/hooks";
import { useConsole } from "../frame/console.ts";
import { texts as frameTexts } from "../frame/texts.ts";
import type { Chart } from "./chart-data.ts";
import { texts } from "./texts.ts";

/** The figures behind a chart, the latest first: made when somebody opens it. */
export function ChartTable({ chart, seconds }: { readonly chart: Chart; readonly seconds: readonly number[] }) {
  const { speech, nowMs } = useConsole();
  const [isOpen, setOpen] = useState(false);
  const rows = isOpen ? seconds.map((sec, index) => ({ sec, index })).reverse() : [];
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {speech.text(frameTexts.table)} <span class="unseen">{speech.text(texts.charts[chart.name])}</span>
      </summary>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it
        <section class="table" tabIndex={0} aria-label={speech.text(texts.charts[chart.name])}>
          <table>
            <thead>
              <tr>
                <th scope="col">{speech.text(texts.series.time)}</th>
                {chart.series.map(({ title }) => (
                  <th scope="col" key={title.en}>
                    {speech.text(title)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ sec, index }) => (
                <tr key={sec}>
                  <th scope="row">{speech.clock(sec * 1_000, nowMs)}</th>
                  {chart.series.map(({ title, values }) => (
                    <td key={title.en}>{cellText(values[index] ?? null, speech.number)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </details>
  );
}

function cellText(value: number | null, inWords: (value: number) => string): string {
  return value === null ? "–" : inWords(value);
}
