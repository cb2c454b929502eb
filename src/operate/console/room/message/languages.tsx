import { useState } from "preact/hooks";
import { useConsole } from "../../frame/console.ts";
import { type Draft, furtherLanguages, type RoomPages, withLanguage, withoutLanguage } from "./draft.ts";
import { texts } from "./texts.ts";

/** The languages of the message: which one is written now, one more, one less. */
export function Languages({
  pages,
  draft,
  language,
  onDraft,
  onLanguage,
}: {
  readonly pages: RoomPages;
  readonly draft: Draft;
  /** The one whose text is seen. */
  readonly language: string | null;
  onDraft(draft: Draft): void;
  onLanguage(language: string | null): void;
}) {
  const { speech } = useConsole();
  const [wanted, setWanted] = useState("");
  const nameOf = (tag: string) => pages.languages.find((each) => each.tag === tag)?.name ?? tag;
  const others = furtherLanguages(draft, pages, navigator.languages);
  const next = others.some(({ tag }) => tag === wanted) ? wanted : "";

  const add = () => {
    onDraft(withLanguage(draft, next, pages));
    onLanguage(next);
  };
  const remove = (tag: string) => {
    onDraft(withoutLanguage(draft, tag));
    onLanguage(null);
  };
  return (
    <fieldset class="field message-languages">
      <legend>{speech.text(texts.languages)}</legend>
      <div class="row">
        {draft.texts.length > 1 &&
          draft.texts.map(({ language: tag }) => (
            <label class="tick" key={tag ?? ""}>
              <input type="radio" name="message-language" checked={tag === language} onChange={() => onLanguage(tag)} />
              <span lang={tag ?? undefined}>{tag === null ? speech.text(texts.everybody) : nameOf(tag)}</span>
            </label>
          ))}
        {draft.texts.length === 1 && (
          <span lang={language ?? undefined}>
            {language === null ? speech.text(texts.everybody) : nameOf(language)}
          </span>
        )}
        {language !== null && draft.texts.length > 1 && (
          <button type="button" class="quiet" onClick={() => remove(language)}>
            {speech.text(texts.removeLanguage, { language: nameOf(language) })}
          </button>
        )}
      </div>
      {others.length > 0 && (
        <div class="row">
          <select
            aria-label={speech.text(texts.anotherLanguage)}
            value={next}
            onChange={(event) => setWanted(event.currentTarget.value)}
          >
            <option value="">{speech.text(texts.anotherLanguage)}</option>
            {others.map(({ tag, name }) => (
              <option key={tag} value={tag} lang={tag}>
                {name}
              </option>
            ))}
          </select>
          <button type="button" class="quiet" disabled={next === ""} onClick={add}>
            {speech.text(texts.addLanguage)}
          </button>
        </div>
      )}
    </fieldset>
  );
}
