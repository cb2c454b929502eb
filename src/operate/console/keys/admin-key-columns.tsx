import type { Column } from "../parts/list/list-table.tsx";
import { Secrets } from "../parts/secret/secrets.tsx";
import type { Speech } from "../texts/texts.ts";
import type { AdminKey } from "./admin-key-values.ts";

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
      title: speech.text("admin_key.id"),
      cell: ({ id, note, source, status }) => (
        <>
          <span dir="auto">{id}</span>
          {id === own && status === "active" && <span class="state state-good own">{speech.text("people.own")}</span>}
          {note !== null && (
            <p class="hint" dir="auto">
              {note}
            </p>
          )}
          {source === "file" && <p class="hint">{speech.text("admin_key.of_file")}</p>}
        </>
      ),
    },
    { key: "role", title: speech.text("people.role"), cell: ({ role }) => speech.text(`role.${role}`) },
    {
      key: "rooms",
      title: speech.text("rooms"),
      cell: ({ rooms }) => rooms?.join(", ") ?? speech.text("list.all_rooms"),
    },
    {
      key: "status",
      title: speech.text("client.status"),
      cell: ({ status }) => (
        <span class={`state state-${statusKinds[status]}`}>{speech.text(`admin_key.status.${status}`)}</span>
      ),
    },
    {
      key: "expires",
      title: speech.text("admin_key.expires"),
      cell: ({ expires_at: at }) => (at === null ? speech.text("list.never") : speech.time(Date.parse(at), nowMs)),
    },
    { key: "secrets", title: speech.text("client.secrets"), cell: ({ secrets }) => <Secrets secrets={secrets} /> },
    {
      key: "by",
      title: speech.text("admin_key.by"),
      cell: ({ created_by: by }) => <span dir="auto">{by ?? "–"}</span>,
    },
    {
      key: "steps",
      title: speech.text("list.acts"),
      cell: ({ id, source }) =>
        source === "admin_api" && (
          <div class="row">
            <button type="button" disabled={isBusy} onClick={() => onStep("rotate", id)}>
              {speech.text("secret.new")}
              <span class="unseen"> {id}</span>
            </button>
            <button type="button" class="danger" disabled={isBusy} onClick={() => onStep("revoke", id)}>
              {speech.text("admin_key.revoke")}
              <span class="unseen"> {id}</span>
            </button>
          </div>
        ),
    },
  ];
}
