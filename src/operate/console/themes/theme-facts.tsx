import { useConsole } from "../frame/console.ts";
import { texts } from "./texts.ts";
import { ThemeUses } from "./theme-uses.tsx";
import type { Theme, WordsByLanguage } from "./theme-values.ts";
import { ThemePlaces } from "./themes-list.tsx";

/** What it says, and where it comes from. All words are shown as they are: HTML in them is text. */
export function ThemeFacts({ theme }: { readonly theme: Theme }) {
  const { speech } = useConsole();
  const { title, logo, texts: customTexts, links, footer, has_own_views: hasViews } = theme;
  return (
    <section class="detail" aria-labelledby="theme-facts">
      <h2 id="theme-facts">{speech.text(texts.facts)}</h2>
      <dl>
        <dt>{speech.text(texts.places.title)}</dt>
        <dd>
          <ThemePlaces theme={theme} />
        </dd>
        <dt>{speech.text(texts.used.title)}</dt>
        <dd>
          <ThemeUses theme={theme} />
        </dd>
        <dt>{speech.text(texts.roomTitle)}</dt>
        <dd>{title === null ? "–" : <ByLanguage words={title} />}</dd>
        <dt>{speech.text(texts.logo.title)}</dt>
        <dd>{logo === null ? "–" : <Logo logo={logo} />}</dd>
        <dt>{speech.text(texts.texts)}</dt>
        <dd>{customTexts.length === 0 ? "–" : <Texts texts={customTexts} />}</dd>
        <dt>{speech.text(texts.links)}</dt>
        <dd>
          {links.length === 0 && "–"}
          {links.map(({ href, label }) => (
            <div key={href}>
              <ByLanguage words={label} />
              <p class="hint" dir="ltr">
                {href}
              </p>
            </div>
          ))}
        </dd>
        <dt>{speech.text(texts.footer)}</dt>
        <dd>{footer === null ? "–" : <ByLanguage words={footer} />}</dd>
        <dt>{speech.text(texts.views.title)}</dt>
        <dd>{speech.text(hasViews ? texts.views.custom : texts.views.builtIn)}</dd>
      </dl>
    </section>
  );
}

function ByLanguage({ words }: { readonly words: WordsByLanguage }) {
  return (
    <ul class="plain">
      {words.map(({ language, text }) => (
        <li key={language ?? ""} class="theme-words">
          {language !== null && <code>{language}</code>}{" "}
          <span lang={language ?? undefined} dir="auto">
            {text}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Logo({
  logo: { alt, height, bytes, has_dark: hasDark, link },
}: {
  readonly logo: NonNullable<Theme["logo"]>;
}) {
  const { speech } = useConsole();
  // As the page weighs it: a small one has less than one.
  const size = new Intl.NumberFormat(speech.tag, { maximumFractionDigits: 1 }).format(bytes / 1_000);
  return (
    <>
      <ByLanguage words={alt} />
      <p class="hint">
        {speech.text(texts.logo.size, { height, size })}
        {hasDark && `, ${speech.text(texts.logo.dark)}`}
      </p>
      {link !== null && <p class="hint">{speech.text(texts.logo.link, { link })}</p>}
    </>
  );
}

function Texts({ texts }: { readonly texts: Theme["texts"] }) {
  return (
    <ul class="plain">
      {texts.map(({ language, place, text }) => (
        <li key={`${language} ${place}`} class="theme-words">
          <code>{language}</code> <code dir="ltr">{place}</code>
          {linesOf(text).map(([form, line]) => (
            <p key={form} lang={language} dir="auto">
              {line}
            </p>
          ))}
        </li>
      ))}
    </ul>
  );
}

/** A text, paragraphs, or one for each plural form. */
function linesOf(text: Theme["texts"][number]["text"]): (readonly [key: string, line: string])[] {
  return typeof text === "string" ? [["", text]] : Object.entries(text);
}
