import type { AdminAnswers } from "../../client/index.ts";
import { useConsole } from "../context.ts";
import { ListTable } from "../parts/list/list-table.tsx";
import { milliseconds } from "./units.ts";

type Room = AdminAnswers["HealthRoom"];
type Key = AdminAnswers["HealthKey"];
type Webhook = AdminAnswers["HealthWebhook"];

/** @property at when the gateway said so */
interface At {
  readonly at: number;
}

/** How far the admission logs of rooms are sealed. */
export function Logs({ rooms, at }: At & { readonly rooms: readonly Room[] }) {
  const { speech } = useConsole();
  const sealed = ({ log }: Room) => {
    if (log === null) return speech.text("list.unknown");
    if (log.rows === 0) return speech.text("health.log.empty");
    if (log.sealed_through_at === null) return speech.text("health.log.not_yet");
    const age = speech.age(at - Date.parse(log.sealed_through_at));
    return speech.text("health.log.sealed", { age });
  };
  return (
    <ListTable
      id="logs"
      label={speech.text("health.logs")}
      rows={rooms}
      columns={[
        { key: "room", title: speech.text("health.room"), cell: ({ room }) => <bdi>{room}</bdi> },
        { key: "sealed", title: speech.text("health.log"), cell: sealed },
        { key: "rows", title: speech.text("health.log.rows"), cell: ({ log }) => log && speech.number(log.rows) },
        { key: "open", title: speech.text("health.log.open"), cell: ({ log }) => log && speech.number(log.unsealed) },
      ]}
      empty={speech.text("rooms.none")}
      keyOf={({ room }) => room}
      wordsOf={({ room }) => [room]}
    />
  );
}

const keyColours = { new: "", staged: "", active: "state-good", retiring: "", retired: "" } as const;

export function Keys({ keys, at }: At & { readonly keys: readonly Key[] }) {
  const { speech } = useConsole();
  const time = (when: string | null) =>
    when === null ? speech.text("list.unknown") : speech.time(Date.parse(when), at);
  return (
    <ListTable
      id="keys"
      label={speech.text("health.keys")}
      rows={keys}
      columns={[
        {
          key: "kid",
          title: speech.text("health.key"),
          cell: ({ kid, alg }) => <bdi class="health-id">{alg === null ? kid : `${kid} (${alg})`}</bdi>,
        },
        {
          key: "purpose",
          title: speech.text("health.key.purpose"),
          cell: (key) => speech.text(`health.key.${key.purpose}`),
        },
        {
          key: "state",
          title: speech.text("health.state"),
          cell: ({ state, held }) => (
            <>
              <span class={`state ${keyColours[state]}`}>{speech.text(`health.key.is.${state}`)}</span>
              {!held && <div>{speech.text("health.key.not_held")}</div>}
            </>
          ),
        },
        { key: "since", title: speech.text("health.key.since"), cell: ({ since }) => time(since) },
        {
          key: "next",
          title: speech.text("health.key.next"),
          cell: ({ next_step_at }) => (next_step_at === null ? "–" : time(next_step_at)),
        },
      ]}
      empty={speech.text("health.keys.none")}
      keyOf={({ issuer, kid, purpose }) => `${issuer} ${purpose} ${kid}`}
      wordsOf={({ kid, purpose, issuer, state }) => [kid, purpose, issuer, state]}
    />
  );
}

export function Webhooks({ webhooks, at }: At & { readonly webhooks: readonly Webhook[] }) {
  const { speech } = useConsole();
  return (
    <ListTable
      id="webhooks"
      label={speech.text("health.webhooks")}
      rows={webhooks}
      columns={[
        { key: "webhook", title: speech.text("health.webhook"), cell: ({ webhook }) => <bdi>{webhook}</bdi> },
        { key: "lag", title: speech.text("health.webhook.lag"), cell: ({ lag_ms }) => milliseconds(lag_ms, speech) },
        {
          key: "gave_up",
          title: speech.text("health.webhook.gave_up"),
          cell: ({ given_up_at }) =>
            given_up_at === null ? speech.text("list.never") : speech.time(Date.parse(given_up_at), at),
        },
      ]}
      empty=""
      keyOf={({ webhook }) => webhook}
      wordsOf={({ webhook }) => [webhook]}
    />
  );
}
