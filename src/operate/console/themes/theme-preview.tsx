import { useState } from "preact/hooks";
import type { AdminAnswers } from "../../client/index.ts";
import { take } from "../api/api.ts";
import { useRequest } from "../api/requests.ts";
import { useConsole } from "../frame/console.ts";
import { texts as frameTexts } from "../frame/texts.ts";
import { Choice, ProblemNote } from "../parts/elements.tsx";
import { LanguageChoice, PageFrame, type Scheme, SchemeChoice, type Width, widths } from "../parts/page-preview.tsx";
import { texts } from "./texts.ts";
import { type Theme, titleOfRoom, type Viewer, viewersOf } from "./theme-values.ts";

/** The pages of a room that has the theme, as its visitors see them. */
export function ThemePreview({ theme }: { readonly theme: Theme }) {
  const { speech, news } = useConsole();
  const [at, setAt] = useState("0");
  const viewers = viewersOf(theme);
  const viewer = viewers[Number(at)] ?? viewers[0];
  const [width, setWidth] = useState<Width>("phone");
  const inWords = ({ room, client, link }: Viewer) => {
    const title = titleOfRoom(room, news);
    if (link !== null) return speech.text(texts.preview.link, { room: title, link });
    return client === null ? title : speech.text(texts.preview.client, { room: title, client });
  };
  return (
    <section class={`theme-preview theme-preview-${width}`} aria-labelledby="theme-preview">
      <h2 id="theme-preview">{speech.text(texts.preview.title)}</h2>
      {viewer === undefined && <p>{speech.text(texts.preview.none)}</p>}
      {viewers.length > 1 && (
        <div class="preview">
          <Choice
            label={speech.text(texts.preview.seenIn)}
            value={at}
            options={viewers.map((each, index) => ({ value: String(index), text: inWords(each) }))}
            onValue={setAt}
          />
        </div>
      )}
      {viewer && <SeenPage viewer={viewer} width={width} onWidth={setWidth} />}
    </section>
  );
}

/** What is chosen stays where another room is looked at. */
function SeenPage({
  viewer: { room, client, link },
  width,
  onWidth,
}: {
  readonly viewer: Viewer;
  readonly width: Width;
  onWidth(width: Width): void;
}) {
  const { api, speech } = useConsole();
  const [page, setPage] = useState("waiting");
  const [language, setLanguage] = useState<string | null>(null);
  const [scheme, setScheme] = useState<Scheme>("system");
  const { answer: pages, problem } = useRequest(
    () => take(api.ask.GET("/admin/rooms/{room}/pages", { params: { path: { room } } })),
    { of: [room] },
  );
  if (problem) return <ProblemNote problem={problem} speech={speech} />;
  if (pages === null) return <p>{speech.text(frameTexts.loading)}</p>;
  const tag = language ?? pages.language;
  return (
    <div class="preview">
      <div class="row">
        <PageChoice pages={pages.pages} value={page} onValue={setPage} />
        <LanguageChoice languages={pages.languages} value={tag} onValue={setLanguage} />
        <Choice
          label={speech.text(texts.preview.width)}
          value={width}
          options={widths.map((each) => ({ value: each, text: speech.text(texts.preview.widths[each]) }))}
          onValue={onWidth}
        />
        <SchemeChoice value={scheme} onValue={setScheme} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: where the page is wider than the screen, the keyboard must be able to scroll it */}
      <section class="theme-frame" tabIndex={0} aria-label={speech.text(frameTexts.preview.frame)}>
        <PageFrame
          title={speech.text(frameTexts.preview.frame)}
          room={room}
          page={page}
          query={{ language: tag, ...(client !== null && { client }), ...(link !== null && { theme: link }) }}
          scheme={scheme}
          width={width}
        />
      </section>
    </div>
  );
}

type PageOfRoom = AdminAnswers["RoomPages"]["pages"][number];

const kinds = ["waiting", "notice"] as const satisfies readonly PageOfRoom["kind"][];

/** Every page that a visitor can meet. The gateway names them, in English. */
function PageChoice({
  pages,
  value,
  onValue,
}: {
  readonly pages: readonly PageOfRoom[];
  readonly value: string;
  onValue(page: string): void;
}) {
  const { speech } = useConsole();
  return (
    <label>
      {speech.text(texts.preview.page)}
      <select value={value} onChange={(event) => onValue(event.currentTarget.value)}>
        {kinds.map((kind) => (
          <optgroup key={kind} label={speech.text(texts.preview.kinds[kind])}>
            {pages
              .filter((page) => page.kind === kind)
              .map(({ id, title }) => (
                <option key={id} value={id} lang="en">
                  {title}
                </option>
              ))}
          </optgroup>
        ))}
      </select>
    </label>
  );
}
