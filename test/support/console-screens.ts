/** The console's screens, its own and those of features, for tests and pictures that go through all of them. */

interface Screen {
  readonly scope: "installation" | "room";
  /** The last part of its address; empty for the first of its scope. */
  readonly name: string;
  readonly role: string;
  readonly isForAllRooms: boolean;
}

/** They are of the browser's code, which is checked by other rules than this. */
const lists = ["src/operate/console/screens.ts", "src/features/screens.ts"].map(
  (file) => new URL(`../../${file}`, import.meta.url).href,
);

/** With the address of each; those of a room have that of the one that is named. */
export async function consoleScreens(room: string): Promise<readonly (Screen & { readonly path: string })[]> {
  const loaded: readonly { readonly screens: readonly Screen[] }[] = await Promise.all(
    lists.map((list) => import(list)),
  );
  return loaded
    .flatMap(({ screens }) => screens)
    .map((screen) => {
      const base = screen.scope === "room" ? `/console/rooms/${room}` : "/console";
      return { ...screen, path: screen.name === "" ? base : `${base}/${screen.name}` };
    });
}
