import { useState } from "preact/hooks";
import { take } from "../api/api.ts";
import { useConsole } from "../context.ts";
import { chosen } from "../navigation/go.ts";
import type { ScreenProps } from "../navigation/screen.ts";
import { allPages } from "../parts/list/all-pages.ts";
import { ProblemNote } from "../parts/problem-note.tsx";
import type { MadeSecret } from "../parts/secret/secret-once.tsx";
import { useAsked } from "../parts/use-asked.ts";
import { ClientDetail } from "./client-detail.tsx";
import { ClientsList } from "./clients-list.tsx";
import { NewClient } from "./new-client.tsx";

const everyMs = 30_000;

/** The relying parties: `?client=ID` shows one, `?new` makes one. */
export function ClientsScreen({ title }: ScreenProps) {
  const { api, speech } = useConsole();
  const [made, setMade] = useState<MadeSecret | null>(null);
  const asked = useAsked(
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

  const found = asked.answer?.find(({ client_id, ...each }) => client_id === id && source === each.source);
  const client = found ?? asked.answer?.find(({ client_id }) => client_id === id);
  return (
    <>
      {chosen("new") !== null && <NewClient again={asked.again} onMade={setMade} />}
      {id !== null && asked.answer !== null && (
        <ClientDetail
          title={title}
          key={`${id} ${source}`}
          id={id}
          client={client}
          made={made}
          again={asked.again}
          onMade={setMade}
        />
      )}
      {chosen("new") === null && id === null && <ClientsList title={title} clients={asked.answer} />}
      {asked.problem && <ProblemNote problem={asked.problem} speech={speech} />}
    </>
  );
}
