import type { Charts } from "../charts/chart-data.ts";
import { useConsole } from "../frame/console.ts";
import type { Figures } from "../frame/live.ts";
import { endInWords } from "../rooms/outlook.ts";
import { texts } from "./texts.ts";

interface Figure {
  readonly name: "waiting" | "entering" | "inside" | "ends" | "left";
  readonly value: string;
  /** What it is a part of. */
  readonly limit?: number | null;
  readonly note?: string | null;
  /** How much of the limit it is. */
  readonly share?: number;
}

/** What an operator watches, always in sight at a desk. What is not known is not there. */
export function FigureStrip({ figures, charts }: { readonly figures: Figures; readonly charts: Charts | null }) {
  const { nowMs, speech } = useConsole();
  const { waiting, outflow_per_minute, limit_per_minute, live_admissions, max_active, absent, stock } = figures;
  const arriving = latestArrivals(charts);
  const shown: readonly Figure[] = [
    {
      name: "waiting",
      value: speech.number(waiting),
      note: arriving === null ? null : speech.text(texts.figures.arriving, { n: arriving }),
    },
    {
      name: "entering",
      value: speech.number(outflow_per_minute),
      limit: limit_per_minute,
      ...(limit_per_minute !== null && { share: outflow_per_minute / limit_per_minute }),
    },
    {
      name: "inside",
      value: speech.number(live_admissions),
      limit: max_active,
      note: absent > 0 ? speech.text(texts.figures.absent, { n: absent }) : null,
    },
    { name: "ends", value: endInWords(figures, speech, nowMs) },
    ...(stock === null
      ? []
      : [
          {
            name: "left" as const,
            value: speech.number(stock.remaining),
            note: speech.text(texts.figures.reported, {
              age: speech.age(Math.max(0, nowMs - Date.parse(stock.as_of))),
            }),
          },
        ]),
  ];
  return (
    <dl class="figures">
      {shown.map(({ name, value, limit, note, share }) => (
        <div key={name} class={`figure figure-${name}`}>
          <dt>{speech.text(texts.figures[name])}</dt>
          <dd>
            <strong class={/\d/.test(value) ? undefined : "words"}>{value}</strong>{" "}
            {limit != null && <span class="limit">{speech.text(texts.figures.of, { n: limit })}</span>}
            {share !== undefined && <progress max={1} value={Math.min(1, share)} aria-hidden="true" />}
            {note && <span class="note">{note}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Of the last step that says something. */
function latestArrivals(charts: Charts | null): number | null {
  const arrivals = charts?.charts.find(({ name }) => name === "rates")?.series[0]?.values ?? [];
  const latest = arrivals.filter((value) => value !== null);
  return latest[latest.length - 1] ?? null;
}
