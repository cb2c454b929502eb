import { useConsole } from "../../frame/console.ts";
import { texts as frameTexts } from "../../frame/texts.ts";

interface SecretsProps {
  readonly secrets: readonly { readonly created_at: string | null; readonly expires_at: string | null }[];
}

/** When each was made, and until when it works. */
export function Secrets({ secrets }: SecretsProps) {
  const { nowMs, speech } = useConsole();
  const time = (at: string) => speech.time(Date.parse(at), nowMs);
  if (secrets.length === 0) return <>–</>;
  return (
    <ul class="plain">
      {secrets.map(({ created_at: made, expires_at: ends }, index) => (
        <li key={made ?? index}>
          {made === null
            ? speech.text(frameTexts.secret.fromFile)
            : speech.text(frameTexts.secret.createdAt, { time: time(made) })}
          {ends !== null && ` · ${speech.text(frameTexts.secret.validUntil, { time: time(ends) })}`}
        </li>
      ))}
    </ul>
  );
}
