import { useState } from "preact/hooks";
import { useConsole } from "../context.ts";
import { LineForm } from "../parts/line-form.tsx";
import { ProblemNote } from "../parts/problem-note.tsx";
import { useAsking } from "../parts/use-asking.ts";
import { FoundDetails, FoundState } from "./found-visitor.tsx";
import { texts } from "./texts.ts";
import { findVisitor, isNumber, type NumberKind, type Ref, readRef, type Visitor } from "./visitors.ts";

/** As long as the longest ticket that is read, and the blanks around it. */
const lengthMax = 1_100;

interface Shown {
  readonly found: Visitor;
  readonly asked: Ref | null;
}

/** Somebody calls: how does it stand with them? */
export function VisitorLookup({ room }: { readonly room: string }) {
  const { api, speech } = useConsole();
  const { isBusy, problem, ask } = useAsking();
  const [written, setWritten] = useState("");
  const [asked, setAsked] = useState<Ref | null>(null);
  const [shown, setShown] = useState<Shown | null>(null);
  const text = written.trim();

  const find = async (by?: NumberKind) => {
    const ref = readRef(text);
    const asking = ref && by ? { ...ref, by } : ref;
    setAsked(asking);
    setShown(null);
    const found = await ask(() => findVisitor(api, room, asking, text));
    if (found === null) return;
    // A ticket is as good as the place: it does not stay on the screen.
    if (asking === null) setWritten("");
    setShown({ found, asked: asking });
  };
  const isBoth =
    problem?.answer?.error === "bad_request" && asked !== null && isNumber(asked) && asked.by === undefined;

  return (
    <div class="control">
      <LineForm
        id="control-lookup"
        label={speech.text(texts.lookup.title)}
        go={speech.text(texts.lookup.find)}
        value={written}
        mayGo={text !== "" && !isBusy}
        hint={speech.text(texts.lookup.hint)}
        field={{ autocapitalize: "off", spellcheck: false, maxLength: lengthMax }}
        onWritten={setWritten}
        onGo={() => void find()}
      />
      {problem && !isBoth && <ProblemNote problem={problem} speech={speech} />}
      {isBoth && (
        <div role="alert">
          <p>{speech.text(texts.lookup.ambiguous)}</p>
          <div class="row">
            {(["position", "entry"] as const).map((by) => (
              <button key={by} type="button" onClick={() => void find(by)}>
                {speech.text(texts.lookup.kinds[by])}
              </button>
            ))}
          </div>
        </div>
      )}
      <div role="status">{shown && <FoundState found={shown.found} />}</div>
      {shown && <FoundDetails room={room} {...shown} />}
    </div>
  );
}
