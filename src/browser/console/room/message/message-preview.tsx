import { useEffect, useState } from "preact/hooks";
import { useConsole } from "../../context.ts";
import { PageFrame, type Scheme, schemes } from "../../parts/page-frame.tsx";
import { type Draft, type RoomPages, shownTo } from "./draft.ts";

interface PreviewProps {
  readonly room: string;
  readonly pages: RoomPages;
  readonly draft: Draft;
  /** The language whose text is written: its readers' page is shown, until another is chosen. */
  readonly written: string | null;
}

/** The waiting page as a visitor with a phone would see it with this message. */
export function MessagePreview({ room, pages, draft, written }: PreviewProps) {
  const { speech } = useConsole();
  const isOfPages = pages.languages.some(({ tag }) => tag === written);
  const usual = isOfPages && written !== null ? written : pages.language;
  const [language, setLanguage] = useState(usual);
  const [scheme, setScheme] = useState<Scheme>("system");
  useEffect(() => setLanguage(usual), [usual]);
  return (
    <div class="preview">
      <div class="row">
        <label>
          {speech.text("preview.language")}
          <select value={language} onChange={(event) => setLanguage(event.currentTarget.value)}>
            {pages.languages.map(({ tag, name }) => (
              <option key={tag} value={tag} lang={tag}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          {speech.text("preview.scheme")}
          <select value={scheme} onChange={(event) => setScheme(event.currentTarget.value as Scheme)}>
            {schemes.map((each) => (
              <option key={each} value={each}>
                {speech.text(`preview.scheme.${each}`)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <PageFrame
        title={speech.text("preview.frame")}
        room={room}
        page="waiting"
        query={{ language, message: shownTo(draft, language) }}
        scheme={scheme}
      />
    </div>
  );
}
