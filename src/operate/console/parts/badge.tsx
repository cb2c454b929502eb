import { useConsole } from "../context.ts";
import { type Freshness, freshnessOfAll } from "../live/freshness.ts";
import { texts as frameTexts } from "../texts/frame.ts";
import type { Speech } from "../texts/speech.ts";

/** Says how old all that is shown is. What changes each second is for the eye; readers of the screen hear what becomes of it. */
export function Badge() {
  const { heard, elapsedMs, speech } = useConsole();
  const fresh = freshnessOfAll(heard, elapsedMs);
  return (
    <>
      <span class={`badge badge-${fresh.kind}`} aria-hidden="true">
        {freshInWords(fresh, speech)}
      </span>
      <span class="unseen" role="status">
        {speech.text(frameTexts.freshness[fresh.kind])}
      </span>
    </>
  );
}

function freshInWords({ kind, ageMs }: Freshness, speech: Speech): string {
  if (kind === "waiting") return speech.text(frameTexts.freshness.waiting);
  return speech.text(frameTexts.freshnessAge[kind], { age: speech.age(ageMs) });
}
