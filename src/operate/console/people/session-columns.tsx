import type { AdminAnswers } from "../../client/index.ts";
import type { Column } from "../parts/list/list-table.tsx";
import type { Speech } from "../texts/texts.ts";

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
      title: speech.text("people.who"),
      cell: ({ id, principal: { kind, id: name, name: shown } }) => (
        <>
          <span dir="auto">{kind === "key" ? speech.text("signed_in.key", { id: name }) : shown}</span>
          {id === own && <span class="state state-good own">{speech.text("people.own")}</span>}
          {kind === "person" && (
            <p class="hint" dir="auto">
              {name}
            </p>
          )}
        </>
      ),
    },
    { key: "role", title: speech.text("people.role"), cell: ({ role }) => speech.text(`role.${role}`) },
    {
      key: "rooms",
      title: speech.text("rooms"),
      cell: ({ rooms }) => rooms?.join(", ") ?? speech.text("list.all_rooms"),
    },
    { key: "since", title: speech.text("people.since"), cell: ({ created_at: at }) => time(at) },
    {
      key: "seen",
      title: speech.text("people.seen"),
      cell: ({ last_used_at: at }) =>
        at === null ? "–" : speech.text("people.ago", { age: speech.age(nowMs - Date.parse(at)) }),
    },
    { key: "ends", title: speech.text("people.ends"), cell: ({ expires_at: at }) => time(at) },
    {
      key: "end",
      title: speech.text("list.acts"),
      cell: (session) => (
        <div class="row">
          <button type="button" class="danger" disabled={isBusy} onClick={() => onEnd(session)}>
            {speech.text("people.end")}
            <span class="unseen"> {session.principal.name}</span>
          </button>
        </div>
      ),
    },
  ];
}
