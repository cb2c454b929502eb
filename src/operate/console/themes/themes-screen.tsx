import { take } from "../api/api.ts";
import { useRequest } from "../api/requests.ts";
import type { ScreenProps } from "../frame/console.ts";
import { useConsole } from "../frame/console.ts";
import { chosen } from "../frame/navigation.tsx";
import { ProblemNote, Title } from "../parts/elements.tsx";
import { texts } from "./texts.ts";
import { ThemeColors } from "./theme-colors.tsx";
import { ThemeFacts } from "./theme-facts.tsx";
import { ThemePreview } from "./theme-preview.tsx";
import { nameOf, type Theme } from "./theme-values.ts";
import { ThemesList } from "./themes-list.tsx";

/** Rooms and clients that are made meanwhile use them, too. */
const everyMs = 30_000;

/** What the pages look like: `?theme=ID` shows one theme, with its pages. */
export function ThemesScreen({ title }: ScreenProps) {
  const { api, speech } = useConsole();
  const { answer, problem } = useRequest(() => take(api.ask.GET("/admin/themes")), { of: [], everyMs });
  const id = chosen("theme");
  const themes = answer?.themes ?? null;
  return (
    <>
      {id === null && <ThemesList title={title} themes={themes} />}
      {id !== null && themes !== null && (
        <ThemeDetail key={id} title={title} theme={themes.find((each) => each.id === id)} />
      )}
      {problem && <ProblemNote problem={problem} speech={speech} />}
    </>
  );
}

function ThemeDetail({ title, theme }: { readonly title: string; readonly theme: Theme | undefined }) {
  const { speech } = useConsole();
  return (
    <>
      <p class="way-back">
        <a href="/console/themes">{title}</a>
      </p>
      <Title text={theme ? nameOf(theme, speech) : speech.text(texts.theme)} />
      {theme === undefined && <p>{speech.text(texts.missing)}</p>}
      <p class="hint theme-note">{speech.text(texts.fromFile)}</p>
      {theme && (
        <div class="theme">
          <ThemePreview theme={theme} />
          <div class="theme-told">
            <ThemeFacts theme={theme} />
            <ThemeColors theme={theme} />
          </div>
        </div>
      )}
    </>
  );
}
