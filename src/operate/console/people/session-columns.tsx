import type { AdminAnswers } from "../../client/index.ts";
import type { Speech } from "../frame/speech.ts";
import { texts as frameTexts } from "../frame/texts.ts";
import type { Column } from "../parts/list-table.tsx";
import { texts } from "./texts.ts";

export type Session = AdminAnswers["AdminSession"];

interface ColumnOptions {
  readonly speech: Speech;
  readonly nowMs: number;
  /** The session of this browser; null where a key asks. */
  readonly own: string | null;
  readonly isBusy: boolean;
  onEnd(session: Session): void;
}

export function columnsOf({ speech, nowMs, own, isBusy, onEnd }: ColumnOptions): Column<Session>[] {
  const time = (at: string | null) => (at === null ? "–" : speech.time(Date.parse(at), nowMs));
  return [
    {
      key: "who",
      title: speech.text(texts.who),
      cell: ({ id, principal: { kind, id: name, name: shown } }) => (
        <>
          <span dir="auto">{kind === "key" ? speech.text(frameTexts.key, { id: name }) : shown}</span>
          {id === own && <span class="state state-good own">{speech.text(texts.thisBrowser)}</span>}
          {kind === "person" && (
            <p class="hint" dir="auto">
              {name}
            </p>
          )}
        </>
      ),
    },
    {
      key: "role",
      title: speech.text(frameTexts.record.role),
      cell: ({ role }) => speech.text(frameTexts.roles[role]),
    },
    {
      key: "rooms",
      title: speech.text(frameTexts.rooms),
      cell: ({ rooms }) => rooms?.join(", ") ?? speech.text(frameTexts.allRooms),
    },
    { key: "since", title: speech.text(texts.since), cell: ({ created_at: at }) => time(at) },
    {
      key: "seen",
      title: speech.text(texts.seen),
      cell: ({ last_used_at: at }) =>
        at === null ? "–" : speech.text(texts.ago, { age: speech.age(nowMs - Date.parse(at)) }),
    },
    { key: "ends", title: speech.text(texts.ends), cell: ({ expires_at: at }) => time(at) },
    {
      key: "end",
      title: speech.text(frameTexts.list.actions),
      cell: (session) => (
        <div class="row">
          <button type="button" class="danger" disabled={isBusy} onClick={() => onEnd(session)}>
            {speech.text(texts.endSession)}
            <span class="unseen"> {session.principal.name}</span>
          </button>
        </div>
      ),
    },
  ];
}
