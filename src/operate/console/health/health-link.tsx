import { useRequest } from "../api/requests.ts";
import { useConsole } from "../frame/console.ts";
import type { LocalizedTexts } from "../frame/speech.ts";
import { everyMs, readHealth } from "./health.ts";

const texts = {
  one: { en: "Health: 1 thing needs a look", de: "Zustand: 1 Sache ansehen" },
  many: { en: "Health: {n} things need a look", de: "Zustand: {n} Sachen ansehen" },
} satisfies LocalizedTexts;

/** In the header, where something is wrong: how many things, and the way to them. */
export function HealthLink() {
  const { api, speech } = useConsole();
  const { answer } = useRequest(() => readHealth(api, "attention"), { of: [], everyMs });
  const count = answer?.attention.length ?? 0;
  const hasFault = answer?.attention.some(({ severity }) => severity === "fault") ?? false;
  return (
    <span class="health-note" role="status">
      {count > 0 && (
        <a class={`health-link state ${hasFault ? "state-act" : "state-look"}`} href="/console/health">
          {count === 1 ? speech.text(texts.one) : speech.text(texts.many, { n: count })}
        </a>
      )}
    </span>
  );
}
