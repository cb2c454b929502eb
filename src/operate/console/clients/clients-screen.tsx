import { useState } from "preact/hooks";
import { take } from "../api/api.ts";
import { useRequest } from "../api/requests.ts";
import type { ScreenProps } from "../frame/console.ts";
import { useConsole } from "../frame/console.ts";
import { chosen } from "../frame/navigation.tsx";
import { ProblemNote } from "../parts/elements.tsx";
import { allPages } from "../parts/list.ts";
import type { MadeSecret } from "../parts/secret/secret-once.tsx";
import { ClientDetail } from "./client-detail.tsx";
import { ClientsList } from "./clients-list.tsx";
import { NewClient } from "./new-client.tsx";

const everyMs = 30_000;

/** The relying parties: `?client=ID` shows one, `?new` makes one. */
export function ClientsScreen({ title }: ScreenProps) {
  const { api, speech } = useConsole();
  const [made, setMade] = useState<MadeSecret | null>(null);
  const request = useRequest(
    async () => {
      const pages = await allPages((query) => take(api.ask.GET("/admin/clients", { params: { query } })));
      return pages.flatMap(({ clients }) => clients);
    },
    { of: [], everyMs },
  );
  const id = chosen("client");
  const source = chosen("source");
  // Whoever goes elsewhere has had it.
  if (made !== null && made.id !== id) setMade(null);

  const found = request.answer?.find(({ client_id, ...each }) => client_id === id && source === each.source);
  const client = found ?? request.answer?.find(({ client_id }) => client_id === id);
  return (
    <>
      {chosen("new") !== null && <NewClient reload={request.reload} onMade={setMade} />}
      {id !== null && request.answer !== null && (
        <ClientDetail
          title={title}
          key={`${id} ${source}`}
          id={id}
          client={client}
          made={made}
          reload={request.reload}
          onMade={setMade}
        />
      )}
      {chosen("new") === null && id === null && <ClientsList title={title} clients={request.answer} />}
      {request.problem && <ProblemNote problem={request.problem} speech={speech} />}
    </>
  );
}
