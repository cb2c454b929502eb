import { useRequest } from "../api/requests.ts";
import type { ScreenProps } from "../frame/console.ts";
import { useConsole } from "../frame/console.ts";
import { texts as frameTexts } from "../frame/texts.ts";
import { ProblemNote, Title } from "../parts/elements.tsx";
import { Attention } from "./attention.tsx";
import { everyMs, type Health, oldAfterMs, readHealth } from "./health.ts";
import { Keys, Logs } from "./lists.tsx";
import { Processes } from "./processes.tsx";
import { Store } from "./store.tsx";
import { texts } from "./texts.ts";

/** How processes, store, keys and logs are: what is wrong comes first. */
export function HealthScreen({ title }: ScreenProps) {
  const { api, speech, elapsedMs } = useConsole();
  const { answer, problem, receivedMs } = useRequest(() => readHealth(api, "all"), { of: [], everyMs });
  const ageMs = receivedMs === null ? 0 : elapsedMs - receivedMs;
  const isOld = ageMs > oldAfterMs;
  return (
    <>
      <Title text={title} />
      {problem && <ProblemNote problem={problem} speech={speech} />}
      {answer === null && problem === null && <p>{speech.text(frameTexts.loading)}</p>}
      {answer !== null && (
        <div class={isOld ? "health stale" : "health"}>
          <p class={isOld ? "old" : "muted"}>
            {speech.text(isOld ? texts.old : texts.age, { age: speech.age(ageMs) })}
          </p>
          <Attention found={answer.attention} />
          <Parts health={answer} />
        </div>
      )}
    </>
  );
}

/** What is null is not theirs to see. */
function Parts({ health }: { readonly health: Health }) {
  const { features, speech } = useConsole();
  const { processes, store, keys, rooms } = health;
  return (
    <>
      {processes && (
        <section>
          <h2>{speech.text(texts.process.title)}</h2>
          <Processes processes={processes} />
        </section>
      )}
      {store && (
        <section>
          <h2>{speech.text(texts.store.title)}</h2>
          <Store store={store} />
        </section>
      )}
      {rooms && (
        <section>
          <h2>{speech.text(texts.log.title)}</h2>
          <Logs rooms={rooms} at={Date.parse(health.at)} />
        </section>
      )}
      {keys && (
        <section>
          <h2>{speech.text(texts.key.title)}</h2>
          <Keys keys={keys} at={Date.parse(health.at)} />
        </section>
      )}
      {features
        .flatMap((feature) => feature.healthSections ?? [])
        .map((Section) => (
          <Section key={Section.name} health={health} />
        ))}
    </>
  );
}
