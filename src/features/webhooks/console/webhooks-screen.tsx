import { useState } from "preact/hooks";
import { take } from "../../../operate/console/api/api.ts";
import { useRequest } from "../../../operate/console/api/requests.ts";
import type { ScreenProps } from "../../../operate/console/frame/console.ts";
import { useConsole } from "../../../operate/console/frame/console.ts";
import { chosen } from "../../../operate/console/frame/navigation.tsx";
import { ProblemNote } from "../../../operate/console/parts/elements.tsx";
import { allPages } from "../../../operate/console/parts/list.ts";
import type { MadeSecret } from "../../../operate/console/parts/secret/secret-once.tsx";
import { NewWebhook } from "./new-webhook.tsx";
import { WebhookDetail } from "./webhook-detail.tsx";
import { WebhooksList } from "./webhooks-list.tsx";

const everyMs = 30_000;

/** Where events are sent: `?webhook=ID` shows one receiver, `?new` makes one. */
export function WebhooksScreen({ title }: ScreenProps) {
  const { api, speech } = useConsole();
  const [made, setMade] = useState<MadeSecret | null>(null);
  const request = useRequest(
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

  const types = request.answer?.types ?? [];
  return (
    <>
      {isNew && <NewWebhook types={types} reload={request.reload} onMade={setMade} />}
      {id !== null && request.answer !== null && (
        <WebhookDetail
          title={title}
          key={id}
          id={id}
          webhook={request.answer.webhooks.find((each) => each.id === id)}
          types={types}
          made={made}
          reload={request.reload}
          onMade={setMade}
        />
      )}
      {!isNew && id === null && <WebhooksList title={title} webhooks={request.answer?.webhooks ?? null} />}
      {request.problem && <ProblemNote problem={request.problem} speech={speech} />}
    </>
  );
}
