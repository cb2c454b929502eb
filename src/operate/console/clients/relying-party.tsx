import { useConsole } from "../frame/console.ts";
import { CopyField } from "../parts/elements.tsx";
import { type Client, endpointsOf, snippetCommand } from "./client-values.ts";
import { texts } from "./texts.ts";

/** What to enter at the site. */
export function RelyingParty({ client: { client_id: id, issuer, settings } }: { readonly client: Client }) {
  const { speech } = useConsole();
  const command = settings && snippetCommand(id, settings.profile);
  const rows = [["client_id", id] as const, ...endpointsOf(issuer)];
  return (
    <section class="detail" aria-labelledby="enter-title">
      <h2 id="enter-title">{speech.text(texts.enter.title)}</h2>
      <dl>
        {rows.map(([name, value]) => (
          <div class="contents" key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd dir="ltr">{value}</dd>
          </div>
        ))}
        <dt>
          <code>client_secret</code>
        </dt>
        <dd>{speech.text(hasSecret(settings) ? texts.enter.secret : texts.enter.noSecret)}</dd>
      </dl>
      {command && (
        <div class="fact-copied">
          <p>{speech.text(texts.enter.snippet)}</p>
          <CopyField label={speech.text(texts.enter.command)} value={command} />
        </div>
      )}
    </section>
  );
}

function hasSecret(settings: Client["settings"]): boolean {
  return !["none", "private_key_jwt"].includes(settings?.token_endpoint_auth_method ?? "");
}
