import { useState } from "preact/hooks";
import { useConsole } from "../context.ts";
import { texts as frameTexts } from "../texts/frame.ts";

/** Something to copy, and to select where the browser does not let the page copy. */
export function CopyField({ label, value }: { readonly label: string; readonly value: string }) {
  const { speech } = useConsole();
  const [isCopied, setCopied] = useState(false);
  const copy = () =>
    navigator.clipboard.writeText(value).then(
      () => setCopied(true),
      // The browser forbids it: it can be selected.
      () => setCopied(false),
    );
  return (
    <>
      <div class="row">
        <input readOnly dir="ltr" aria-label={label} value={value} onFocus={(event) => event.currentTarget.select()} />
        {/* Pages without TLS have no clipboard. */}
        {navigator.clipboard !== undefined && (
          <button type="button" onClick={() => void copy()}>
            {speech.text(frameTexts.copy)}
            <span class="unseen"> {label}</span>
          </button>
        )}
      </div>
      <p role="status">{isCopied && speech.text(frameTexts.copied)}</p>
    </>
  );
}
