/** The console's screens, its own and those of features, for tests and pictures that go through all of them. */

interface Screen {
  readonly scope: "installation" | "room";
  /** The last part of its address; empty for the first of its scope. */
  readonly name: string;
  readonly role: string;
  readonly isForAllRooms: boolean;
}

/** They are of the browser's code, which is checked by other rules than this. */
const load = (file: string) => import(new URL(`../../src/${file}`, import.meta.url).href);

/** With the address of each; those of a room have that of the one that is named. */
export async function consoleScreens(room: string): Promise<readonly (Screen & { readonly path: string })[]> {
  const { screens }: { readonly screens: readonly Screen[] } = await load("operate/console/screens.ts");
  const { consoleFeatures }: { readonly consoleFeatures: readonly { readonly screens?: readonly Screen[] }[] } =
    await load("features/screens.ts");
  return [...screens, ...consoleFeatures.flatMap((feature) => feature.screens ?? [])].map((screen) => {
    const base = screen.scope === "room" ? `/console/rooms/${room}` : "/console";
    return { ...screen, path: screen.name === "" ? base : `${base}/${screen.name}` };
  });
}
