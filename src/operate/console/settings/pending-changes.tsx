import { zoneForTimes } from "../forms/control.tsx";
import type { Change } from "../forms/draft.ts";
import { valueInWords } from "../forms/in-words.ts";
import { useConsole } from "../frame/console.ts";
import { texts as frameTexts } from "../frame/texts.ts";
import { RecentBar } from "../parts/actions.tsx";
import { ProblemNote } from "../parts/elements.tsx";
import { texts as roomTexts } from "../room/texts.ts";
import { useForecast } from "../room/use-would.ts";
import { endInWords } from "../rooms/outlook.ts";
import { type RoomSettings, type SettingsForm, zoneOf } from "./room-settings.ts";
import { texts } from "./texts.ts";

const ratePath = "inlet.outflow_per_minute";

/** What would change, before it is sent, and how to take it back after that. Nothing while nothing is written. */
export function PendingChanges({
  room,
  settings,
  form,
}: {
  readonly room: string;
  readonly settings: RoomSettings;
  readonly form: SettingsForm;
}) {
  const { news, nowMs, speech } = useConsole();
  const { changes, faults, actions, refusal } = form;
  const rate = changes.find(({ entry }) => entry.field.path === ratePath)?.to;
  const forecast = useForecast(room, typeof rate === "number" ? rate : null);
  const figures = news?.figures.rooms.find((other) => other.room === room)?.figures ?? null;
  const zone = zoneForTimes(zoneOf(settings, form.drafts));
  const inWords = ({ entry }: Change, value: unknown) => valueInWords(entry.field, value, zone, speech);
  const canApply = changes.length > 0 && !form.isFaulty && form.overtaken.length === 0 && !actions.isBusy;

  return (
    <div class={form.drafts.size > 0 ? "pending" : undefined}>
      {/* What is wrong with changes stands beside them. */}
      {(form.drafts.size === 0 || actions.problem === null) && <RecentBar actions={actions} />}
      {form.drafts.size > 0 && (
        <section aria-label={speech.text(texts.pending)}>
          <h2>{speech.text(texts.pending)}</h2>
          {changes.length === 0 && <p>{speech.text(texts.noChange)}</p>}
          <ul>
            {changes.map((change) => (
              <li key={change.entry.field.path}>
                <code>{change.entry.field.path}</code>: <span dir="auto">{inWords(change, change.from)}</span>{" "}
                <span aria-hidden="true">→</span> <span class="unseen">{speech.text(texts.becomes)}</span>{" "}
                <strong dir="auto">{inWords(change, change.to)}</strong>
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
          {refusal !== null && form.overtaken.length === 0 && <ProblemNote problem={refusal} speech={speech} />}
          <div class="row">
            <button type="button" disabled={!canApply} onClick={() => void form.apply()}>
              {speech.text(frameTexts.apply)}
            </button>
            <button type="button" class="quiet" disabled={actions.isBusy} onClick={form.discardAll}>
              {speech.text(texts.discardAll)}
            </button>
          </div>
        </section>
      )}
    </div>
  );
}
