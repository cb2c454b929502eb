import type { ScreenProps } from "../frame/console.ts";
import { useConsole } from "../frame/console.ts";
import { addressOf, type RecordScreenKind } from "../records/record.ts";
import { RecordScreen } from "../records/record-screen.tsx";
import { texts } from "./texts.ts";
import { Swatch, ThemeDetails, ThemePlaces, ThemeUses } from "./theme-details.tsx";
import { ThemePreview } from "./theme-preview.tsx";
import { nameOf, partsOf, type Theme, titleOfRoom } from "./theme-values.ts";

/** What the pages look like. Themes are set in the configuration file alone. */
const themes: RecordScreenKind<Theme, { readonly themes: readonly Theme[] }> = {
  name: "theme",
  address: "/console/themes",
  collection: "/admin/themes",
  isWhole: true,
  parameter: "theme",
  // Rooms and clients that are made meanwhile use them, too.
  everyMs: 30_000,
  texts: { what: texts.what, note: texts.fromFile, none: texts.none, missing: texts.missing },
  rowsOf: (page) => page.themes,
  idOf: ({ id }) => id,
  titleOf: (theme, { speech }) => (theme ? nameOf(theme, speech) : speech.text(texts.theme)),
  wordsOf: (theme, { news, speech }) => [
    nameOf(theme, speech),
    ...theme.places,
    ...theme.rooms.flatMap(({ room, clients }) => [room, titleOfRoom(room, news), ...clients]),
  ],
  columns: [
    {
      title: texts.theme,
      cell: (theme, { speech }) => (
        <a href={addressOf(themes, theme)} dir="auto">
          {nameOf(theme, speech)}
        </a>
      ),
    },
    { title: texts.places.title, cell: (theme) => <ThemePlaces theme={theme} /> },
    {
      title: texts.sets,
      cell: (theme, { speech }) =>
        partsOf(theme)
          .map((part) => speech.text(part))
          .join(", ") || speech.text(texts.parts.nothing),
    },
    { title: texts.mainColor, cell: (theme) => <MainColors theme={theme} /> },
    { title: texts.used.title, cell: (theme) => <ThemeUses theme={theme} /> },
  ],
  steps: [],
  Details: ({ row }) => (
    <div class="theme">
      <ThemePreview theme={row} />
      <ThemeDetails theme={row} />
    </div>
  ),
};

export function ThemesScreen({ title }: ScreenProps) {
  return <RecordScreen kind={themes} title={title} />;
}

function MainColors({ theme: { colors } }: { readonly theme: Theme }) {
  const { speech } = useConsole();
  return (
    <>
      {(["light", "dark"] as const).map((scheme) => {
        const color = colors[scheme].accent;
        return <Swatch key={scheme} color={color} text={speech.text(texts.colors.schemes[scheme], { color })} />;
      })}
    </>
  );
}
