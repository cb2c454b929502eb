import { useConsole } from "../frame/console.ts";
import { texts as frameTexts } from "../frame/texts.ts";
import { Secrets } from "../parts/secret/secrets.tsx";
import type { Client } from "./client-values.ts";

/** What is in force, defaults and all, and the secrets that work: never a secret. */
export function ClientSettings({ client: { settings, secrets } }: { readonly client: Client }) {
  const { speech } = useConsole();
  return (
    <section class="detail" aria-labelledby="in-force-title">
      <h2 id="in-force-title">{speech.text(frameTexts.record.inForce)}</h2>
      <dl>
        {Object.entries(settings ?? {}).map(([name, value]) => (
          <div class="contents" key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd dir="auto">{inWords(value)}</dd>
          </div>
        ))}
        <dt>{speech.text(frameTexts.secret.current)}</dt>
        <dd>
          <Secrets secrets={secrets} />
        </dd>
      </dl>
    </section>
  );
}

function inWords(value: unknown) {
  if (value === null || value === undefined || value === "") return "–";
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) {
    if (value.length === 0) return "–";
    return (
      <ul>
        {value.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
    );
  }
  return typeof value === "string" ? value : JSON.stringify(value);
}
