import { Fragment } from "preact";
import { useConsole } from "../context.ts";
import type { HealthStore } from "./health.ts";
import { bytes, figure, milliseconds } from "./units.ts";

export function Store({ store }: { readonly store: HealthStore }) {
  const { speech, nowMs } = useConsole();
  const { server, answers, age_ms: ageMs, latency_ms: latencyMs } = store;
  const yesOrNo = (is: boolean | null) => speech.text(is === null ? "list.unknown" : is ? "form.yes" : "form.no");
  const rows: (readonly [name: string, value: string])[] = [
    [
      speech.text("health.store.answers"),
      answers
        ? milliseconds(latencyMs, speech)
        : speech.text("health.store.away", { age: ageMs === null ? "–" : speech.age(ageMs) }),
    ],
  ];
  if (server === null) rows.push([speech.text("health.store.kind"), speech.text("health.store.embedded")]);
  else {
    const { max_bytes: max, saved_at: savedAt, up_seconds: upSec } = server;
    rows.push(
      [speech.text("health.store.kind"), `${server.software} ${server.version}`],
      [speech.text("health.store.arrangement"), speech.text(`health.store.${server.arrangement}`)],
      [speech.text("health.store.replicas"), figure(server.replicas, speech)],
      [speech.text("health.store.up"), upSec === null ? figure(null, speech) : speech.age(1_000 * upSec)],
      [speech.text("health.store.run"), server.run],
      [
        speech.text("health.memory"),
        max === null || max === 0
          ? bytes(server.used_bytes, speech)
          : speech.text("health.store.memory", { used: bytes(server.used_bytes, speech), max: bytes(max, speech) }),
      ],
      [speech.text("health.store.policy"), server.eviction_policy ?? speech.text("list.unknown")],
      [speech.text("health.store.append"), yesOrNo(server.append_only)],
      [
        speech.text("health.store.saved"),
        savedAt === null ? speech.text("list.never") : speech.time(Date.parse(savedAt), nowMs),
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
