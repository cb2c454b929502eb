import { useState } from "preact/hooks";
import { useConsole } from "../../frame/console.ts";
import { texts as frameTexts } from "../../frame/texts.ts";
import { change } from "../../parts/actions.tsx";
import { endInWords } from "../../rooms/outlook.ts";
import { texts } from "../texts.ts";
import { useForecast } from "../use-would.ts";
import type { ToolProps } from "./tool-props.ts";

/** How many enter a minute: what that would change is said before it is done. */
export function Pace({ room, figures, settings, actions }: ToolProps) {
  const { api, nowMs, speech } = useConsole();
  const inForce = settings?.inlet?.outflow_per_minute ?? null;
  const [written, setWritten] = useState<string | null>(null);
  const value = written ?? (inForce === null ? "" : String(inForce));
  const wanted = readCount(value);
  const isChanged = wanted !== null && wanted !== inForce;
  const forecast = useForecast(room, isChanged ? wanted : null);

  const apply = async () => {
    if (wanted === null) return;
    const act = () => change(api, room, { inlet: { outflow_per_minute: wanted } });
    if ((await actions.carryOut(speech.text(texts.done.rate, { n: wanted }), act, true)) === "done") setWritten(null);
  };
  const by = (percent: number) => setWritten(String(stepped(wanted ?? inForce ?? figures.outflow_per_minute, percent)));

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged) void apply();
      }}
    >
      <label for="control-rate">{speech.text(texts.rate.title)}</label>
      <div class="row">
        <button type="button" onClick={() => by(-10)}>
          −10 %
        </button>
        <input
          id="control-rate"
          inputMode="numeric"
          autocomplete="off"
          size={7}
          placeholder={speech.text(texts.rate.none)}
          value={value}
          aria-describedby="control-rate-would"
          onInput={(event) => setWritten(event.currentTarget.value)}
        />
        <button type="button" onClick={() => by(10)}>
          +10 %
        </button>
        <button type="submit" disabled={!isChanged || actions.isBusy}>
          {speech.text(frameTexts.apply)}
        </button>
      </div>
      <p id="control-rate-would" class="would" role="status">
        {value !== "" && wanted === null && speech.text(texts.rate.invalid)}
        {isChanged &&
          forecast !== null &&
          (forecast.line_ends_at ?? figures.line_ends_at) !== null &&
          speech.text(texts.rate.forecast, {
            wanted: endInWords(forecast, speech, nowMs),
            now: endInWords(figures, speech, nowMs),
          })}
      </p>
    </form>
  );
}

/** What the admin API takes. */
const rateMax = 1_000_000;

/** A whole number of admissions a minute, or of people to call; null for anything else. */
export function readCount(written: string): number | null {
  const text = written.trim();
  const rate = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  return rate >= 1 && rate <= rateMax ? rate : null;
}

/** So many percent more or less, and always another number within what may be. */
export function stepped(rate: number, percent: number): number {
  const exact = (rate * (100 + percent)) / 100;
  const next =
    percent > 0 ? Math.max(Math.round(exact), Math.floor(rate) + 1) : Math.min(Math.round(exact), Math.ceil(rate) - 1);
  return Math.min(rateMax, Math.max(1, next));
}
