import { useState } from "preact/hooks";
import { take } from "../api/api.ts";
import { useConsole } from "../context.ts";
import { chosen } from "../navigation/go.ts";
import type { ScreenProps } from "../navigation/screen.ts";
import { allPages } from "../parts/list/all-pages.ts";
import { ProblemNote } from "../parts/problem-note.tsx";
import type { MadeSecret } from "../parts/secret/secret-once.tsx";
import { useAsked } from "../parts/use-asked.ts";
import { NewWebhook } from "./new-webhook.tsx";
import { WebhookDetail } from "./webhook-detail.tsx";
import { WebhooksList } from "./webhooks-list.tsx";

const everyMs = 30_000;

/** Where events are sent: `?webhook=ID` shows one receiver, `?new` makes one. */
export function WebhooksScreen({ title }: ScreenProps) {
  const { api, speech } = useConsole();
  const [made, setMade] = useState<MadeSecret | null>(null);
  const asked = useAsked(
    async () => {
      const pages = await allPages((query) => take(api.ask.GET("/admin/webhooks", { params: { query } })));
      return { webhooks: pages.flatMap(({ webhooks }) => webhooks), types: pages[0]?.event_types ?? [] };
    },
    { of: [], everyMs },
  );
  const id = chosen("webhook");
  const isNew = chosen("new") !== null;
  // Whoever goes elsewhere has had it.
  if (made !== null && made.id !== id) setMade(null);

  const types = asked.answer?.types ?? [];
  return (
    <>
      {isNew && <NewWebhook types={types} again={asked.again} onMade={setMade} />}
      {id !== null && asked.answer !== null && (
        <WebhookDetail
          title={title}
          key={id}
          id={id}
          webhook={asked.answer.webhooks.find((each) => each.id === id)}
          types={types}
          made={made}
          again={asked.again}
          onMade={setMade}
        />
      )}
      {!isNew && id === null && <WebhooksList title={title} webhooks={asked.answer?.webhooks ?? null} />}
      {asked.problem && <ProblemNote problem={asked.problem} speech={speech} />}
    </>
  );
}
