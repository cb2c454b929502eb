import type { AdminAnswers } from "../../client/index.ts";
import { useConsole } from "../frame/console.ts";
import { texts as frameTexts } from "../frame/texts.ts";
import { ListTable } from "../parts/list-table.tsx";
import { texts as roomsTexts } from "../rooms/texts.ts";
import { texts } from "./texts.ts";

type Room = AdminAnswers["HealthRoom"];
type Key = AdminAnswers["HealthKey"];

/** @property at when the gateway said so */
interface At {
  readonly at: number;
}

/** How far the admission logs of rooms are sealed. */
export function Logs({ rooms, at }: At & { readonly rooms: readonly Room[] }) {
  const { speech } = useConsole();
  const sealed = ({ log }: Room) => {
    if (log === null) return speech.text(frameTexts.unknown);
    if (log.rows === 0) return speech.text(texts.log.empty);
    if (log.sealed_through_at === null) return speech.text(texts.log.notSealed);
    const age = speech.age(at - Date.parse(log.sealed_through_at));
    return speech.text(texts.log.sealed, { age });
  };
  return (
    <ListTable
      id="logs"
      label={speech.text(texts.log.title)}
      rows={rooms}
      columns={[
        { title: texts.log.room, cell: ({ room }) => <bdi>{room}</bdi> },
        { title: texts.log.log, cell: sealed },
        { title: texts.log.rows, cell: ({ log }) => log && speech.number(log.rows) },
        {
          title: texts.log.unsealedRows,
          cell: ({ log }) => log && speech.number(log.unsealed),
        },
      ]}
      empty={speech.text(roomsTexts.none)}
      keyOf={({ room }) => room}
      wordsOf={({ room }) => [room]}
    />
  );
}

const keyColours = { new: "", staged: "", active: "state-good", retiring: "", retired: "" } as const;

export function Keys({ keys, at }: At & { readonly keys: readonly Key[] }) {
  const { speech } = useConsole();
  const time = (when: string | null) =>
    when === null ? speech.text(frameTexts.unknown) : speech.time(Date.parse(when), at);
  return (
    <ListTable
      id="keys"
      label={speech.text(texts.key.title)}
      rows={keys}
      columns={[
        {
          title: texts.key.key,
          cell: ({ kid, alg }) => <bdi class="health-id">{alg === null ? kid : `${kid} (${alg})`}</bdi>,
        },
        {
          title: texts.key.purpose,
          cell: (key) => speech.text(texts.key.purposes[key.purpose]),
        },
        {
          title: texts.state,
          cell: ({ state, held }) => (
            <>
              <span class={`state ${keyColours[state]}`}>{speech.text(texts.key.states[state])}</span>
              {!held && <div>{speech.text(texts.key.missing)}</div>}
            </>
          ),
        },
        { title: texts.key.since, cell: ({ since }) => time(since) },
        {
          title: texts.key.next,
          cell: ({ next_step_at }) => (next_step_at === null ? "–" : time(next_step_at)),
        },
      ]}
      empty={speech.text(texts.key.none)}
      keyOf={({ issuer, kid, purpose }) => `${issuer} ${purpose} ${kid}`}
      wordsOf={({ kid, purpose, issuer, state }) => [kid, purpose, issuer, state]}
    />
  );
}
