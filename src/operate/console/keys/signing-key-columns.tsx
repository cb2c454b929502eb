import type { Speech } from "../frame/speech.ts";
import { texts as frameTexts } from "../frame/texts.ts";
import type { Column } from "../parts/list-table.tsx";
import { type Key, type KeyStep, nextOf, stepsOf } from "./key-steps.ts";
import { texts } from "./texts.ts";

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
    title: speech.text(texts.signing.issuer),
    cell: ({ issuer }) => <span dir="ltr">{issuer}</span>,
  };
  return [
    { key: "kid", title: speech.text(texts.signing.key), cell: ({ kid }) => <code>{kid}</code> },
    ...(hasIssuers ? [ofIssuer] : []),
    {
      key: "purpose",
      title: speech.text(texts.signing.purpose),
      cell: ({ purpose }) => speech.text(texts.signing.purposes[purpose]),
    },
    { key: "alg", title: speech.text(texts.signing.alg), cell: ({ alg }) => alg ?? "–" },
    {
      key: "state",
      title: speech.text(texts.signing.state),
      cell: ({ state }) => (
        <span class={`state state-${stateKinds[state]}`}>{speech.text(texts.signing.states[state])}</span>
      ),
    },
    {
      key: "age",
      title: speech.text(texts.signing.age),
      cell: ({ created_at: at }) => (at === null ? "–" : speech.age(nowMs - Date.parse(at))),
    },
    {
      key: "source",
      title: speech.text(frameTexts.record.source),
      cell: ({ source }) => speech.text(texts.signing.sources[source]),
    },
    {
      key: "next",
      title: speech.text(texts.signing.next),
      cell: (key) => {
        const { text, atMs } = nextOf(key, nowMs);
        return (
          <>
            {speech.text(text, { time: atMs === null ? "" : speech.time(atMs, nowMs) })}
            {!key.held && key.state !== "retired" && <p class="problem">{speech.text(texts.signing.missing)}</p>}
          </>
        );
      },
    },
    {
      key: "steps",
      title: speech.text(frameTexts.list.actions),
      cell: (key) => (
        <div class="row">
          {stepsOf[key.state].map((step) => (
            <button type="button" key={step} disabled={isBusy} onClick={() => onStep(key, step)}>
              {speech.text(texts.signing.steps[step])}
              <span class="unseen"> {key.kid}</span>
            </button>
          ))}
        </div>
      ),
    },
  ];
}
