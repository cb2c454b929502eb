import { useConsole } from "../../../operate/console/frame/console.ts";
import { texts as frameTexts } from "../../../operate/console/frame/texts.ts";
import { Secrets } from "../../../operate/console/parts/secret/secrets.tsx";
import { texts } from "./texts.ts";
import type { Webhook } from "./webhook-values.ts";
import { Enabled } from "./webhooks-list.tsx";

export function WebhookFacts({ webhook }: { readonly webhook: Webhook }) {
  const { speech } = useConsole();
  const { url, rooms, types, format, note, secrets, created_by: by } = webhook;
  return (
    <section class="detail" aria-labelledby="facts-title">
      <h2 id="facts-title">{speech.text(frameTexts.record.inForce)}</h2>
      <dl>
        <dt>{speech.text(frameTexts.record.status)}</dt>
        <dd>
          <Enabled webhook={webhook} />
        </dd>
        <dt>{speech.text(texts.url)}</dt>
        <dd dir="ltr">{url}</dd>
        <dt>{speech.text(frameTexts.record.note)}</dt>
        <dd dir="auto">{note ?? "–"}</dd>
        <dt>{speech.text(frameTexts.rooms)}</dt>
        <dd>{rooms?.join(", ") ?? speech.text(frameTexts.allRooms)}</dd>
        <dt>{speech.text(texts.types)}</dt>
        <dd>
          <ul>
            {types.map((type) => (
              <li key={type}>
                <code>{type}</code>
              </li>
            ))}
          </ul>
        </dd>
        <dt>{speech.text(texts.format)}</dt>
        <dd>{speech.text(texts.formats[format])}</dd>
        <dt>{speech.text(frameTexts.secret.current)}</dt>
        <dd>
          <Secrets secrets={secrets} />
        </dd>
        <dt>{speech.text(frameTexts.record.createdBy)}</dt>
        <dd dir="auto">{by ?? "–"}</dd>
      </dl>
    </section>
  );
}
