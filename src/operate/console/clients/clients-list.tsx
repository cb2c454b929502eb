import { useConsole } from "../frame/console.ts";
import { texts as frameTexts } from "../frame/texts.ts";
import { Title } from "../parts/elements.tsx";
import { ListTable } from "../parts/list-table.tsx";
import type { Client } from "./client-values.ts";
import { texts } from "./texts.ts";

export const statusKinds = { active: "good", shadowed: "look", unusable: "act" } as const;

export function addressOf({ client_id: id, source }: Pick<Client, "client_id" | "source">): string {
  return `/console/clients?client=${encodeURIComponent(id)}&source=${source}`;
}

/** @param clients null where they are not known yet */
export function ClientsList({
  title,
  clients,
}: {
  readonly title: string;
  readonly clients: readonly Client[] | null;
}) {
  const { speech } = useConsole();
  const rooms = ({ settings }: Client) => settings?.rooms.join(", ") ?? "";
  const columns = [
    {
      key: "id",
      title: speech.text(texts.client),
      cell: (client: Client) => (
        <a href={addressOf(client)} dir="auto">
          {client.client_id}
        </a>
      ),
    },
    { key: "profile", title: speech.text(texts.profile), cell: ({ settings }: Client) => settings?.profile ?? "–" },
    { key: "rooms", title: speech.text(frameTexts.rooms), cell: (client: Client) => rooms(client) || "–" },
    {
      key: "source",
      title: speech.text(frameTexts.record.source),
      cell: ({ source }: Client) => speech.text(frameTexts.record.sources[source]),
    },
    {
      key: "status",
      title: speech.text(frameTexts.record.status),
      cell: (client: Client) => <ClientStatus client={client} />,
    },
  ];
  return (
    <>
      <div class="list-head">
        <Title text={title} />
        <a class="button" href="/console/clients?new">
          {speech.text(texts.newClient)}
        </a>
      </div>
      <p>{speech.text(texts.what)}</p>
      {clients === null ? (
        <p>{speech.text(frameTexts.loading)}</p>
      ) : (
        <ListTable
          id="clients"
          label={title}
          rows={clients}
          columns={columns}
          empty={speech.text(texts.none)}
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
  const text = texts.statuses[status];
  return (
    <>
      <span class={`state state-${statusKinds[status]}`}>{speech.text(text)}</span>
      {status === "shadowed" && <p class="hint">{speech.text(texts.shadowedReason)}</p>}
      {[...faults, ...warnings].map((each) => (
        <p class="hint" dir="auto" key={each}>
          {each}
        </p>
      ))}
    </>
  );
}
