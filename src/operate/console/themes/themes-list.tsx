import { useConsole } from "../frame/console.ts";
import { texts as frameTexts } from "../frame/texts.ts";
import { Title } from "../parts/elements.tsx";
import { ListTable } from "../parts/list-table.tsx";
import { Swatch } from "./swatch.tsx";
import { texts } from "./texts.ts";
import { ThemeUses } from "./theme-uses.tsx";
import { addressOf, nameOf, partsOf, type Theme, titleOf } from "./theme-values.ts";

/** @param themes null where they are not known yet */
export function ThemesList({ title, themes }: { readonly title: string; readonly themes: readonly Theme[] | null }) {
  const { speech, news } = useConsole();
  const columns = [
    {
      title: texts.theme,
      cell: (theme: Theme) => (
        <a href={addressOf(theme)} dir="auto">
          {nameOf(theme, speech)}
        </a>
      ),
    },
    { title: texts.places.title, cell: (theme: Theme) => <ThemePlaces theme={theme} /> },
    {
      title: texts.sets,
      cell: (theme: Theme) =>
        partsOf(theme)
          .map((part) => speech.text(part))
          .join(", ") || speech.text(texts.parts.nothing),
    },
    {
      title: texts.mainColor,
      cell: ({ colors: { light, dark } }: Theme) => (
        <>
          <Swatch color={light.accent} text={speech.text(texts.colors.schemes.light, { color: light.accent })} />
          <Swatch color={dark.accent} text={speech.text(texts.colors.schemes.dark, { color: dark.accent })} />
        </>
      ),
    },
    { title: texts.used.title, cell: (theme: Theme) => <ThemeUses theme={theme} /> },
  ];
  return (
    <>
      <Title text={title} />
      <p>{speech.text(texts.what)}</p>
      <p class="hint theme-note">{speech.text(texts.fromFile)}</p>
      {themes === null ? (
        <p>{speech.text(frameTexts.loading)}</p>
      ) : (
        <ListTable
          id="themes"
          label={title}
          rows={themes}
          columns={columns}
          empty={speech.text(texts.none)}
          keyOf={({ id }) => id}
          wordsOf={(theme) => [
            nameOf(theme, speech),
            ...theme.places,
            ...theme.rooms.flatMap(({ room, clients }) => [room, titleOf(room, news), ...clients]),
          ]}
        />
      )}
    </>
  );
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
