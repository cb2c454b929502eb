import { useConsole } from "../context.ts";
import { ListTable } from "../parts/list/list-table.tsx";
import { Title } from "../parts/title.tsx";
import type { TextKey } from "../texts/texts.ts";
import type { Client } from "./client-values.ts";

export const statusKinds = { active: "good", shadowed: "look", unusable: "act" } as const;

export function addressOf({ client_id: id, source }: Pick<Client, "client_id" | "source">): string {
  return `/console/clients?client=${encodeURIComponent(id)}&source=${source}`;
}

/** @param clients null where they are not known yet */
export function ClientsList({ clients }: { readonly clients: readonly Client[] | null }) {
  const { speech } = useConsole();
  const rooms = ({ settings }: Client) => settings?.rooms.join(", ") ?? "";
  const columns = [
    {
      key: "id",
      title: speech.text("client.id"),
      cell: (client: Client) => (
        <a href={addressOf(client)} dir="auto">
          {client.client_id}
        </a>
      ),
    },
    { key: "profile", title: speech.text("client.profile"), cell: ({ settings }: Client) => settings?.profile ?? "–" },
    { key: "rooms", title: speech.text("rooms"), cell: (client: Client) => rooms(client) || "–" },
    {
      key: "source",
      title: speech.text("client.source"),
      cell: ({ source }: Client) => speech.text(`source.${source}`),
    },
    { key: "status", title: speech.text("client.status"), cell: (client: Client) => <ClientStatus client={client} /> },
  ];
  return (
    <>
      <div class="list-head">
        <Title text={speech.text("screen.clients")} />
        <a class="button" href="/console/clients?new">
          {speech.text("client.new")}
        </a>
      </div>
      <p>{speech.text("clients.what")}</p>
      {clients === null ? (
        <p>{speech.text("loading")}</p>
      ) : (
        <ListTable
          id="clients"
          label={speech.text("screen.clients")}
          rows={clients}
          columns={columns}
          empty={speech.text("clients.none")}
          keyOf={(client) => `${client.client_id} ${client.source} ${client.issuer}`}
          wordsOf={(client) => [client.client_id, client.settings?.profile ?? null, rooms(client), client.status]}
        />
      )}
    </>
  );
}

/** What is the matter with it stands beside it. */
export function ClientStatus({ client: { status, faults, warnings } }: { readonly client: Client }) {
  const { speech } = useConsole();
  const key: TextKey = `client.status.${status}`;
  return (
    <>
      <span class={`state state-${statusKinds[status]}`}>{speech.text(key)}</span>
      {status === "shadowed" && <p class="hint">{speech.text("client.status.shadowed.why")}</p>}
      {[...faults, ...warnings].map((each) => (
        <p class="hint" dir="auto" key={each}>
          {each}
        </p>
      ))}
    </>
  );
}
