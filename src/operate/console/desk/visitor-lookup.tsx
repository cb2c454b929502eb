import { useState } from "preact/hooks";
import { useSubmission } from "../api/requests.ts";
import { useConsole } from "../frame/console.ts";
import { LineForm, ProblemNote } from "../parts/elements.tsx";
import { VisitorDetails, VisitorState } from "./found-visitor.tsx";
import { texts } from "./texts.ts";
import { findVisitor, isNumber, type NumberKind, type Ref, readRef, type Visitor } from "./visitors.ts";

/** As long as the longest ticket that is read, and the blanks around it. */
const lengthMax = 1_100;

/** Somebody calls: how does it stand with them? */
export function VisitorLookup({ room }: { readonly room: string }) {
  const { api, speech } = useConsole();
  const { isBusy, problem, submit } = useSubmission();
  const [written, setWritten] = useState("");
  const [reference, setReference] = useState<Ref | null>(null);
  const [found, setFound] = useState<{ readonly visitor: Visitor; readonly by: Ref | null } | null>(null);
  const text = written.trim();

  const find = async (by?: NumberKind) => {
    const ref = readRef(text);
    const wanted = ref && by ? { ...ref, by } : ref;
    setReference(wanted);
    setFound(null);
    const visitor = await submit(() => findVisitor(api, room, wanted, text));
    if (visitor === null) return;
    // A ticket is as good as the place: it does not stay on the screen.
    if (wanted === null) setWritten("");
    setFound({ visitor, by: wanted });
  };
  const isBoth =
    problem?.answer?.error === "bad_request" && reference !== null && isNumber(reference) && reference.by === undefined;

  return (
    <>
      <LineForm
        id="control-lookup"
        label={speech.text(texts.lookup.hint)}
        go={speech.text(texts.lookup.find)}
        value={written}
        mayGo={text !== "" && !isBusy}
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
      <div role="status">{found && <VisitorState visitor={found.visitor} />}</div>
      {found && <VisitorDetails room={room} {...found} />}
    </>
  );
}
