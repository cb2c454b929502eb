import { Fragment } from "preact";
import { useConsole } from "../frame/console.ts";
import { texts as frameTexts } from "../frame/texts.ts";
import type { HealthStore } from "./health.ts";
import { texts } from "./texts.ts";
import { bytes, figure, milliseconds } from "./units.ts";

export function Store({ store }: { readonly store: HealthStore }) {
  const { speech, nowMs } = useConsole();
  const { server, answers, age_ms: ageMs, latency_ms: latencyMs } = store;
  const yesOrNo = (is: boolean | null) =>
    speech.text(is === null ? frameTexts.unknown : is ? frameTexts.form.yes : frameTexts.form.no);
  const rows: (readonly [name: string, value: string])[] = [
    [
      speech.text(texts.store.answers),
      answers
        ? milliseconds(latencyMs, speech)
        : speech.text(texts.store.away, { age: ageMs === null ? "–" : speech.age(ageMs) }),
    ],
  ];
  if (server === null) rows.push([speech.text(texts.store.kind), speech.text(texts.store.embedded)]);
  else {
    const { max_bytes: max, saved_at: savedAt, up_seconds: upSec } = server;
    rows.push(
      [speech.text(texts.store.kind), `${server.software} ${server.version}`],
      [speech.text(texts.store.arrangement), speech.text(texts.store.arrangements[server.arrangement])],
      [speech.text(texts.store.replicas), figure(server.replicas, speech)],
      [speech.text(texts.store.up), upSec === null ? figure(null, speech) : speech.age(1_000 * upSec)],
      [speech.text(texts.store.run), server.run],
      [
        speech.text(texts.memory),
        max === null || max === 0
          ? bytes(server.used_bytes, speech)
          : speech.text(texts.store.memory, { used: bytes(server.used_bytes, speech), max: bytes(max, speech) }),
      ],
      [speech.text(texts.store.policy), server.eviction_policy ?? speech.text(frameTexts.unknown)],
      [speech.text(texts.store.append), yesOrNo(server.append_only)],
      [
        speech.text(texts.store.saved),
        savedAt === null ? speech.text(frameTexts.never) : speech.time(Date.parse(savedAt), nowMs),
      ],
    );
  }
  return (
    <div class="detail">
      <dl>
        {rows.map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd dir="auto">{value}</dd>
          </Fragment>
        ))}
      </dl>
    </div>
  );
}
