import type { AdminAnswers } from "../../client/index.ts";
import { useConsole } from "../frame/console.ts";
import type { Localized } from "../frame/speech.ts";
import { texts as roomsTexts } from "../rooms/texts.ts";
import { texts } from "./texts.ts";

/** What is not well, in colour and words: a title in the operator's language, and what to do as the gateway says it. */
export function Attention({ found }: { readonly found: readonly AdminAnswers["HealthAttention"][] }) {
  const { features, speech } = useConsole();
  const titles: Readonly<Record<string, Localized>> = Object.assign(
    {},
    texts.problems,
    ...features.map((feature) => feature.attentionTitles),
  );
  if (found.length === 0) return <p class="state state-good health-well">{speech.text(texts.well)}</p>;
  return (
    <ul class="attention" aria-label={speech.text(texts.attention)}>
      {found.map(({ code, severity, about, text }) => (
        <li key={`${code} ${about} ${text}`} class={severity === "fault" ? "act" : "look"}>
          <strong>{speech.text(severity === "fault" ? roomsTexts.levels.act : roomsTexts.levels.look)}</strong>{" "}
          {titles[code] ? speech.text(titles[code]) : code}
          {about !== null && (
            <>
              {": "}
              <bdi>{about}</bdi>
            </>
          )}
          <p lang="en" dir="auto">
            {text}
          </p>
        </li>
      ))}
    </ul>
  );
}
