import { useConsole } from "../frame/console.ts";
import { texts } from "./texts.ts";
import { colorNames, schemes, type TextsByLanguage, type Theme, titleOfRoom } from "./theme-values.ts";

/** What a theme sets, and where it comes from. All its words are shown as they are: HTML in them is text. */
export function ThemeDetails({ theme }: { readonly theme: Theme }) {
  return (
    <div class="theme-details">
      <ThemeFacts theme={theme} />
      <ThemeColors theme={theme} />
    </div>
  );
}

function ThemeFacts({ theme }: { readonly theme: Theme }) {
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

function ByLanguage({ words }: { readonly words: TextsByLanguage }) {
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

/** Where it is written in the configuration. */
export function ThemePlaces({ theme: { places } }: { readonly theme: Theme }) {
  const { speech } = useConsole();
  if (places.length === 0) return <>{speech.text(texts.places.none)}</>;
  return (
    <ul class="plain" dir="ltr">
      {places.map((place) => (
        <li key={place}>
          <code>{place}</code>
        </li>
      ))}
    </ul>
  );
}

/** The rooms and clients whose pages look like this. */
export function ThemeUses({ theme: { rooms, issuers } }: { readonly theme: Theme }) {
  const { speech } = useConsole();
  if (rooms.length + issuers.length === 0) return <>{speech.text(texts.used.none)}</>;
  return (
    <ul class="plain">
      {rooms.map((use) => (
        <li key={use.room}>
          <RoomUse use={use} />
        </li>
      ))}
      {issuers.map((issuer) => (
        <li key={issuer} class="hint">
          {speech.text(texts.used.issuer, { issuer })}
        </li>
      ))}
    </ul>
  );
}

function RoomUse({ use: { room, is_usual: isUsual, clients, links } }: { readonly use: Theme["rooms"][number] }) {
  const { speech, news, linkTo } = useConsole();
  const title = titleOfRoom(room, news);
  const link = linkTo({ room, name: "" });
  const viewers = isUsual ? texts.used.clients : texts.used.only;
  return (
    <>
      {link === null ? (
        <span dir="auto">{title}</span>
      ) : (
        <a href={link.href} dir="auto">
          {title}
        </a>
      )}
      {clients.length > 0 && <p class="hint">{speech.text(viewers, { clients: clients.join(", ") })}</p>}
      {links.length > 0 && <p class="hint">{speech.text(texts.used.links, { names: links.join(", ") })}</p>}
    </>
  );
}

/** Each colour by what it is for, on light pages and on dark ones. */
function ThemeColors({ theme: { colors, chosen_colors: chosen } }: { readonly theme: Theme }) {
  const { speech } = useConsole();
  return (
    <section class="detail" aria-labelledby="theme-colors">
      <h2 id="theme-colors">{speech.text(texts.colors.title)}</h2>
      <p class="hint record-note">{speech.text(texts.colors.what)}</p>
      <dl>
        {colorNames.map((name) => (
          <div key={name} class="contents">
            <dt>
              {speech.text(texts.colors.names[name])} <code>{name}</code>
            </dt>
            <dd class="row">
              {schemes.map((scheme) => (
                <span key={scheme} class="theme-color">
                  <Swatch
                    color={colors[scheme][name]}
                    text={speech.text(texts.colors.schemes[scheme], { color: colors[scheme][name] })}
                  />
                  {chosen[scheme].includes(name) && <span class="state">{speech.text(texts.colors.chosen)}</span>}
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** A colour to be seen, and its value to be read: a policy without inline styles allows what an image is filled with. */
export function Swatch({ color, text = color }: { readonly color: string; readonly text?: string }) {
  return (
    <span class="swatch">
      <svg viewBox="0 0 1 1" aria-hidden="true">
        <rect width="1" height="1" fill={color} />
      </svg>
      {text}
    </span>
  );
}
