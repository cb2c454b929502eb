import { useConsole } from "../../../operate/console/frame/console.ts";
import { texts as frameTexts } from "../../../operate/console/frame/texts.ts";
import { Title } from "../../../operate/console/parts/elements.tsx";
import { ListTable } from "../../../operate/console/parts/list-table.tsx";
import { texts } from "./texts.ts";
import type { Webhook } from "./webhook-values.ts";

export function addressOf(id: string): string {
  return `/console/webhooks?webhook=${encodeURIComponent(id)}`;
}

/** @param webhooks null where they are not known yet */
export function WebhooksList({
  title,
  webhooks,
}: {
  readonly title: string;
  readonly webhooks: readonly Webhook[] | null;
}) {
  const { speech } = useConsole();
  const columns = [
    {
      key: "id",
      title: speech.text(texts.webhook),
      cell: ({ id, note }: Webhook) => (
        <>
          <a href={addressOf(id)} dir="auto">
            {id}
          </a>
          {note !== null && (
            <p class="hint" dir="auto">
              {note}
            </p>
          )}
        </>
      ),
    },
    // The rest of an address may be a secret, as Slack's is.
    { key: "url", title: speech.text(texts.receiver), cell: ({ url }: Webhook) => new URL(url).host },
    {
      key: "rooms",
      title: speech.text(frameTexts.rooms),
      cell: ({ rooms }: Webhook) => rooms?.join(", ") ?? speech.text(frameTexts.allRooms),
    },
    { key: "types", title: speech.text(texts.types), cell: ({ types }: Webhook) => speech.number(types.length) },
    {
      key: "source",
      title: speech.text(frameTexts.record.source),
      cell: ({ source }: Webhook) => speech.text(frameTexts.record.sources[source]),
    },
    {
      key: "state",
      title: speech.text(frameTexts.record.status),
      cell: (webhook: Webhook) => <Enabled webhook={webhook} />,
    },
  ];
  return (
    <>
      <div class="list-head">
        <Title text={title} />
        <a class="button" href="/console/webhooks?new">
          {speech.text(texts.newWebhook)}
        </a>
      </div>
      <p>{speech.text(texts.what)}</p>
      {webhooks === null ? (
        <p>{speech.text(frameTexts.loading)}</p>
      ) : (
        <ListTable
          id="webhooks"
          label={title}
          rows={webhooks}
          columns={columns}
          empty={speech.text(texts.none)}
          keyOf={({ id }) => id}
          wordsOf={({ id, url, note, rooms }) => [id, new URL(url).host, note, ...(rooms ?? [])]}
        />
      )}
    </>
  );
}

export function Enabled({ webhook: { enabled } }: { readonly webhook: Webhook }) {
  const { speech } = useConsole();
  return (
    <span class={`state state-${enabled ? "good" : "look"}`}>
      {speech.text(enabled ? texts.enabled : texts.disabled)}
    </span>
  );
}
