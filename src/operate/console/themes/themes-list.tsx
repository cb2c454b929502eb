import { useConsole } from "../context.ts";
import { ListTable } from "../parts/list/list-table.tsx";
import { Title } from "../parts/title.tsx";
import { Swatch } from "./swatch.tsx";
import { ThemeUses } from "./theme-uses.tsx";
import { addressOf, nameOf, partsOf, type Theme, titleOf } from "./theme-values.ts";

/** @param themes null where they are not known yet */
export function ThemesList({ themes }: { readonly themes: readonly Theme[] | null }) {
  const { speech, heard } = useConsole();
  const columns = [
    {
      key: "name",
      title: speech.text("theme.name"),
      cell: (theme: Theme) => (
        <a href={addressOf(theme)} dir="auto">
          {nameOf(theme, speech)}
        </a>
      ),
    },
    { key: "places", title: speech.text("theme.places"), cell: (theme: Theme) => <ThemePlaces theme={theme} /> },
    {
      key: "sets",
      title: speech.text("theme.sets"),
      cell: (theme: Theme) =>
        partsOf(theme)
          .map((part) => speech.text(part))
          .join(", ") || speech.text("theme.sets.nothing"),
    },
    {
      key: "main",
      title: speech.text("theme.main"),
      cell: ({ colors: { light, dark } }: Theme) => (
        <>
          <Swatch color={light.accent} text={speech.text("theme.color.light", { color: light.accent })} />
          <Swatch color={dark.accent} text={speech.text("theme.color.dark", { color: dark.accent })} />
        </>
      ),
    },
    { key: "used", title: speech.text("theme.used"), cell: (theme: Theme) => <ThemeUses theme={theme} /> },
  ];
  return (
    <>
      <Title text={speech.text("screen.themes")} />
      <p>{speech.text("themes.what")}</p>
      <p class="hint theme-note">{speech.text("themes.of_file")}</p>
      {themes === null ? (
        <p>{speech.text("loading")}</p>
      ) : (
        <ListTable
          id="themes"
          label={speech.text("screen.themes")}
          rows={themes}
          columns={columns}
          empty={speech.text("themes.none")}
          keyOf={({ id }) => id}
          wordsOf={(theme) => [
            nameOf(theme, speech),
            ...theme.places,
            ...theme.rooms.flatMap(({ room, clients }) => [room, titleOf(room, heard), ...clients]),
          ]}
        />
      )}
    </>
  );
}

/** Where it is written in the configuration. */
export function ThemePlaces({ theme: { places } }: { readonly theme: Theme }) {
  const { speech } = useConsole();
  if (places.length === 0) return <>{speech.text("theme.places.none")}</>;
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
