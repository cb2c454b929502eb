import type { AdminAnswers } from "../../../operate/client/index.ts";
import { useConsole } from "../../../operate/console/frame/console.ts";
import { texts as frameTexts } from "../../../operate/console/frame/texts.ts";
import type { Health } from "../../../operate/console/health/health.ts";
import { milliseconds } from "../../../operate/console/health/units.ts";
import { ListTable } from "../../../operate/console/parts/list-table.tsx";

/** How far receivers are behind, on the health screen. Nothing where there is none, or where it is not theirs to see. */
export function WebhooksHealth({ health: { webhooks, at } }: { readonly health: Health }) {
  const { speech } = useConsole();
  if (!webhooks?.length) return null;
  const lastGaveUp = ({ given_up_at: when }: AdminAnswers["HealthWebhook"]) =>
    when === null ? speech.text(frameTexts.never) : speech.time(Date.parse(when), Date.parse(at));
  const title = speech.text({ en: "Webhooks", de: "Webhooks" });
  return (
    <section>
      <h2>{title}</h2>
      <ListTable
        id="webhooks"
        label={title}
        rows={webhooks}
        columns={[
          { title: { en: "Webhook", de: "Webhook" }, cell: ({ webhook }) => <bdi>{webhook}</bdi> },
          { title: { en: "Behind", de: "Rückstand" }, cell: ({ lag_ms }) => milliseconds(lag_ms, speech) },
          { title: { en: "Last given up", de: "Zuletzt aufgegeben" }, cell: lastGaveUp },
        ]}
        empty=""
        keyOf={({ webhook }) => webhook}
        wordsOf={({ webhook }) => [webhook]}
      />
    </section>
  );
}
