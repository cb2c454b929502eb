import { useConsole } from "../frame/console.ts";
import { texts } from "./texts.ts";
import { type Theme, type ThemeUse, titleOf } from "./theme-values.ts";

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

function RoomUse({ use: { room, is_usual: isUsual, clients, links } }: { readonly use: ThemeUse }) {
  const { speech, news, linkTo } = useConsole();
  const title = titleOf(room, news);
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
