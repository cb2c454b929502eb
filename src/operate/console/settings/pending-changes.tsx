import { useConsole } from "../frame/console.ts";
import { texts as frameTexts } from "../frame/texts.ts";
import { RecentBar } from "../parts/actions.tsx";
import { ProblemNote } from "../parts/elements.tsx";
import { texts as roomTexts } from "../room/texts.ts";
import { useForecast } from "../room/use-would.ts";
import { endInWords } from "../rooms/outlook.ts";
import { type Change, shownZone, type Told, zoneOf } from "./form-model.ts";
import { valueInWords } from "./shown-value.tsx";
import { texts } from "./texts.ts";
import type { Form } from "./use-form.ts";

interface PendingProps {
  readonly room: string;
  readonly told: Told;
  readonly form: Form;
}

const ratePath = "inlet.outflow_per_minute";

/** What would be sent, in words, before it is; after that the way back. Nothing, while nothing is written. */
export function PendingChanges({ room, told, form }: PendingProps) {
  const { news, nowMs, speech } = useConsole();
  const { changes, faults, actions, refused } = form;
  const rate = changes.find(({ unit }) => unit.setting.path === ratePath)?.to;
  const forecast = useForecast(room, typeof rate === "number" ? rate : null);
  const figures = news?.figures.rooms.find((each) => each.room === room)?.figures ?? null;
  const zone = shownZone(zoneOf(told, form.drafts));
  const shown = (change: Change, value: unknown) => valueInWords(change.unit.setting, value, zone, speech);
  const mayApply = changes.length > 0 && !form.isFaulty && form.overtaken.length === 0 && !actions.isBusy;

  return (
    <div class={form.drafts.size > 0 || actions.recent !== null ? "pending" : undefined}>
      {(form.drafts.size === 0 || actions.recent !== null) && <RecentBar actions={actions} />}
      {form.drafts.size > 0 && (
        <section aria-label={speech.text(texts.pending)}>
          <h2>{speech.text(texts.pending)}</h2>
          {changes.length === 0 && <p>{speech.text(texts.noChange)}</p>}
          <ul>
            {changes.map((change) => (
              <li key={change.unit.setting.path}>
                <code>{change.unit.setting.path}</code>: <span dir="auto">{shown(change, change.from)}</span>{" "}
                <span aria-hidden="true">→</span> <span class="unseen">{speech.text(texts.becomes)}</span>{" "}
                <strong dir="auto">{shown(change, change.to)}</strong>
                {change.sent === null && ` (${speech.text(texts.reverted)})`}
              </li>
            ))}
          </ul>
          <div role="status">
            {faults.size > 0 && <p>{speech.text(texts.faultCount, { n: faults.size })}</p>}
            {form.overtaken.length > 0 && <p>{speech.text(texts.overtaken)}</p>}
            {forecast !== null && figures !== null && (
              <p>
                {speech.text(roomTexts.rate.forecast, {
                  wanted: endInWords(forecast, speech, nowMs),
                  now: endInWords(figures, speech, nowMs),
                })}
              </p>
            )}
          </div>
          {refused !== null && form.overtaken.length === 0 && <ProblemNote problem={refused} speech={speech} />}
          <div class="row">
            <button type="button" disabled={!mayApply} onClick={() => void form.apply()}>
              {speech.text(frameTexts.apply)}
            </button>
            <button type="button" class="quiet" disabled={actions.isBusy} onClick={form.forgetAll}>
              {speech.text(texts.discardAll)}
            </button>
          </div>
        </section>
      )}
      {form.drafts.size === 0 && actions.problem && <ProblemNote problem={actions.problem} speech={speech} />}
    </div>
  );
}
