import type { Column } from "../parts/list/list-table.tsx";
import type { Speech } from "../texts/texts.ts";
import { type Key, type KeyStep, nextOf, stepsOf } from "./key-steps.ts";

interface ColumnOptions {
  readonly speech: Speech;
  readonly nowMs: number;
  readonly isBusy: boolean;
  /** Whether there are several issuers. */
  readonly hasIssuers: boolean;
  onStep(key: Key, step: KeyStep): void;
}

const stateKinds = { new: "", staged: "look", active: "good", retiring: "look", retired: "" } as const;

export function keyColumns({ speech, nowMs, isBusy, hasIssuers, onStep }: ColumnOptions): Column<Key>[] {
  const ofIssuer: Column<Key> = {
    key: "issuer",
    title: speech.text("key.issuer"),
    cell: ({ issuer }) => <span dir="ltr">{issuer}</span>,
  };
  return [
    { key: "kid", title: speech.text("key.kid"), cell: ({ kid }) => <code>{kid}</code> },
    ...(hasIssuers ? [ofIssuer] : []),
    { key: "purpose", title: speech.text("key.purpose"), cell: ({ purpose }) => speech.text(`key.purpose.${purpose}`) },
    { key: "alg", title: speech.text("key.alg"), cell: ({ alg }) => alg ?? "–" },
    {
      key: "state",
      title: speech.text("key.state"),
      cell: ({ state }) => <span class={`state state-${stateKinds[state]}`}>{speech.text(`key.state.${state}`)}</span>,
    },
    {
      key: "age",
      title: speech.text("key.age"),
      cell: ({ created_at: at }) => (at === null ? "–" : speech.age(nowMs - Date.parse(at))),
    },
    {
      key: "source",
      title: speech.text("client.source"),
      cell: ({ source }) => speech.text(`key.source.${source}`),
    },
    {
      key: "next",
      title: speech.text("key.next"),
      cell: (key) => {
        const { text, atMs } = nextOf(key, nowMs);
        return (
          <>
            {speech.text(text, { time: atMs === null ? "" : speech.time(atMs, nowMs) })}
            {!key.held && key.state !== "retired" && <p class="problem">{speech.text("key.not_held")}</p>}
          </>
        );
      },
    },
    {
      key: "steps",
      title: speech.text("list.acts"),
      cell: (key) => (
        <div class="row">
          {stepsOf[key.state].map((step) => (
            <button type="button" key={step} disabled={isBusy} onClick={() => onStep(key, step)}>
              {speech.text(`key.${step}`)}
              <span class="unseen"> {key.kid}</span>
            </button>
          ))}
        </div>
      ),
    },
  ];
}
