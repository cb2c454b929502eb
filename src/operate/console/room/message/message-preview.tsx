import { useEffect, useState } from "preact/hooks";
import { useConsole } from "../../frame/console.ts";
import { texts as frameTexts } from "../../frame/texts.ts";
import { LanguageChoice, PageFrame, type Scheme, SchemeChoice } from "../../parts/page-preview.tsx";
import { type Draft, messageFor, type RoomPages } from "./draft.ts";

/** The waiting page as a visitor with a phone would see it with this message. */
export function MessagePreview({
  room,
  pages,
  draft,
  written,
}: {
  readonly room: string;
  readonly pages: RoomPages;
  readonly draft: Draft;
  /** The language whose text is written: its readers' page is shown, until another is chosen. */
  readonly written: string | null;
}) {
  const { speech } = useConsole();
  const isOfPages = pages.languages.some(({ tag }) => tag === written);
  const usual = isOfPages && written !== null ? written : pages.language;
  const [language, setLanguage] = useState(usual);
  const [scheme, setScheme] = useState<Scheme>("system");
  useEffect(() => setLanguage(usual), [usual]);
  return (
    <div class="preview">
      <div class="row">
        <LanguageChoice languages={pages.languages} value={language} onValue={setLanguage} />
        <SchemeChoice value={scheme} onValue={setScheme} />
      </div>
      <PageFrame
        title={speech.text(frameTexts.preview.frame)}
        room={room}
        // With such a message the room is sold out, and its page another one.
        page={draft.severity === "sold_out" ? "sold_out_returns" : "waiting"}
        query={{ language, message: messageFor(draft, language) }}
        scheme={scheme}
      />
    </div>
  );
}
