import { useConsole } from "../frame/console.ts";
import { type Column, ListTable } from "../parts/list-table.tsx";
import type { HealthProcess } from "./health.ts";
import { texts } from "./texts.ts";
import { bytes, figure, milliseconds } from "./units.ts";

const colours = {
  ready: "state-good",
  starting: "state-look",
  stopping: "state-look",
  not_ready: "state-act",
  gone: "state-act",
} as const;

export function Processes({ processes }: { readonly processes: readonly HealthProcess[] }) {
  const { speech, nowMs } = useConsole();
  const time = (at: string) => speech.time(Date.parse(at), nowMs);
  const columns: Column<HealthProcess>[] = [
    {
      title: texts.process.process,
      cell: ({ name, answers }) => (
        <>
          <bdi>{name}</bdi>
          {answers && <div class="muted">{speech.text(texts.process.answers)}</div>}
        </>
      ),
    },
    {
      title: texts.state,
      cell: ({ state, seen_at }) => (
        <>
          <span class={`state ${colours[state]}`}>{speech.text(texts.states[state])}</span>
          <div class="muted">{speech.text(texts.process.seen, { time: speech.clock(Date.parse(seen_at), nowMs) })}</div>
        </>
      ),
    },
    {
      title: texts.process.build,
      cell: ({ version, build, configuration }) => (
        <>
          <bdi>{build === null ? version : `${version} (${build})`}</bdi>
          <div class="muted">{speech.text(texts.process.configuration, { digest: configuration })}</div>
        </>
      ),
    },
    { title: texts.process.started, cell: ({ started_at }) => time(started_at) },
    {
      title: texts.process.clock,
      cell: (each) => milliseconds(each.clock_ahead_ms, speech),
    },
    {
      title: texts.process.loopDelay,
      cell: (each) => milliseconds(each.loop_delay_ms, speech),
    },
    { title: texts.memory, cell: ({ memory_bytes }) => bytes(memory_bytes, speech) },
    {
      title: texts.process.requests,
      cell: (each) => figure(each.requests_per_second, speech),
    },
    {
      title: texts.process.roundTrip,
      cell: (each) => milliseconds(each.store_latency_ms, speech),
    },
  ];
  return (
    <ListTable
      id="processes"
      label={speech.text(texts.process.title)}
      rows={processes}
      columns={columns}
      empty={speech.text(texts.process.none)}
      keyOf={({ id }) => id}
      wordsOf={({ name, version, build, state }) => [name, version, build, state]}
    />
  );
}
