/** A field whose text is there to be taken along, and a button that copies it where the browser lets it. */
import { part, say } from "./page-parts.ts";

/** @param id of the field; the button is `copy`, and `copied` says when it is done */
export function offerCopy(id: string): void {
  const field = part(id) as HTMLInputElement;
  const copy = part("copy");
  field.addEventListener("focus", () => field.select());
  if (!navigator.clipboard?.writeText) return;
  copy.hidden = false;
  copy.addEventListener("click", async () => {
    say("copied", "");
    try {
      await navigator.clipboard.writeText(field.value);
      say("copied", part("copied").dataset.copied ?? "");
    } catch {
      field.focus();
    }
  });
}
