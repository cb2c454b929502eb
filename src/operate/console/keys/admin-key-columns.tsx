import type { Speech } from "../frame/speech.ts";
import { texts as frameTexts } from "../frame/texts.ts";
import type { Column } from "../parts/list-table.tsx";
import { Secrets } from "../parts/secret/secrets.tsx";
import { texts as peopleTexts } from "../people/texts.ts";
import type { AdminKey } from "./admin-key-values.ts";
import { texts } from "./texts.ts";

interface ColumnOptions {
  readonly speech: Speech;
  readonly nowMs: number;
  /** The key that this browser is signed in with; null for none. */
  readonly own: string | null;
  readonly isBusy: boolean;
  onStep(step: "rotate" | "revoke", id: string): void;
}

const statusKinds = { active: "good", expired: "act", shadowed: "look" } as const;

export function adminKeyColumns({ speech, nowMs, own, isBusy, onStep }: ColumnOptions): Column<AdminKey>[] {
  return [
    {
      key: "id",
      title: speech.text(texts.admin.name),
      cell: ({ id, note, source, status }) => (
        <>
          <span dir="auto">{id}</span>
          {id === own && status === "active" && (
            <span class="state state-good own">{speech.text(peopleTexts.thisBrowser)}</span>
          )}
          {note !== null && (
            <p class="hint" dir="auto">
              {note}
            </p>
          )}
          {source === "file" && <p class="hint">{speech.text(texts.admin.fromFile)}</p>}
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
    {
      key: "status",
      title: speech.text(frameTexts.record.status),
      cell: ({ status }) => (
        <span class={`state state-${statusKinds[status]}`}>{speech.text(texts.admin.statuses[status])}</span>
      ),
    },
    {
      key: "expires",
      title: speech.text(texts.admin.expires),
      cell: ({ expires_at: at }) => (at === null ? speech.text(frameTexts.never) : speech.time(Date.parse(at), nowMs)),
    },
    {
      key: "secrets",
      title: speech.text(frameTexts.secret.current),
      cell: ({ secrets }) => <Secrets secrets={secrets} />,
    },
    {
      key: "by",
      title: speech.text(frameTexts.record.createdBy),
      cell: ({ created_by: by }) => <span dir="auto">{by ?? "–"}</span>,
    },
    {
      key: "steps",
      title: speech.text(frameTexts.list.actions),
      cell: ({ id, source }) =>
        source === "admin_api" && (
          <div class="row">
            <button type="button" disabled={isBusy} onClick={() => onStep("rotate", id)}>
              {speech.text(frameTexts.secret.create)}
              <span class="unseen"> {id}</span>
            </button>
            <button type="button" class="danger" disabled={isBusy} onClick={() => onStep("revoke", id)}>
              {speech.text(texts.admin.revoke)}
              <span class="unseen"> {id}</span>
            </button>
          </div>
        ),
    },
  ];
}
