import { useConsole } from "../context.ts";
import { texts as frameTexts } from "../texts/frame.ts";
import { pathOf, type Route } from "./route.ts";
import { maySee } from "./screen.ts";

interface MenuProps {
  /** What is shown; null for nothing that there is. */
  readonly route: Route | null;
}

/** The screens of the installation. */
export function Menu({ route }: MenuProps) {
  const { speech } = useConsole();
  const shown = route?.room === null ? route : null;
  return <Links label={speech.text(frameTexts.menu)} room={null} shown={shown} />;
}

/** The screens of a room. */
export function RoomMenu({ route }: { readonly route: Route }) {
  const { speech } = useConsole();
  return <Links label={speech.text(frameTexts.roomMenu)} room={route.room} shown={route} />;
}

interface LinksProps {
  readonly label: string;
  readonly room: string | null;
  readonly shown: Route | null;
}

/** Nothing, where there is nothing to choose. */
function Links({ label, room, shown }: LinksProps) {
  const { principal, screens, speech } = useConsole();
  const scope = room === null ? "installation" : "room";
  const seen = screens.filter((screen) => screen.scope === scope && maySee(screen, principal));
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
