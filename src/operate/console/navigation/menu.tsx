import { useConsole } from "../context.ts";
import { pathOf, type Route } from "./route.ts";
import { maySee, type Screen, screensOfInstallation, screensOfRoom } from "./screens.ts";

interface MenuProps {
  /** What is shown; null for nothing that there is. */
  readonly route: Route | null;
}

/** The screens of the installation. */
export function Menu({ route }: MenuProps) {
  const { speech } = useConsole();
  const shown = route?.room === null ? route : null;
  return <Links label={speech.text("menu")} screens={screensOfInstallation} room={null} shown={shown} />;
}

/** The screens of a room. */
export function RoomMenu({ route }: { readonly route: Route }) {
  const { speech } = useConsole();
  return <Links label={speech.text("menu.room")} screens={screensOfRoom} room={route.room} shown={route} />;
}

interface LinksProps {
  readonly label: string;
  readonly screens: readonly Screen[];
  readonly room: string | null;
  readonly shown: Route | null;
}

/** Nothing, where there is nothing to choose. */
function Links({ label, screens, room, shown }: LinksProps) {
  const { principal, speech } = useConsole();
  const seen = screens.filter((each) => maySee(each, principal));
  if (seen.length < 2) return null;
  return (
    <nav class="menu" aria-label={label}>
      {seen.map(({ name, title }) => (
        <a key={name} href={pathOf({ room, name })} aria-current={shown?.name === name ? "page" : undefined}>
          {speech.text(title)}
        </a>
      ))}
    </nav>
  );
}
