import { useState } from "preact/hooks";
import { useConsole } from "../frame/console.ts";
import { LineForm } from "../parts/elements.tsx";
import type { ControlProps } from "../room/controls/control-props.ts";
import { texts as roomTexts } from "../room/texts.ts";
import { LinkToCopy } from "./link-shown.tsx";
import { linkOf, type TimedLink } from "./made-link.ts";
import { texts } from "./texts.ts";

/** Makes a link that lets one person in ahead of the line. It is shown here alone, and never again. */
export function BypassControl({ room, actions }: Pick<ControlProps, "room" | "actions">) {
  const { api, speech } = useConsole();
  const [written, setWritten] = useState("");
  const [link, setLink] = useState<TimedLink | null>(null);
  const note = written.trim();

  const make = () =>
    actions.carryOut(speech.text(roomTexts.done.bypass), async () => {
      const body = note === "" ? {} : { note };
      const sent = api.ask.POST("/admin/rooms/{room}/bypass", { params: { path: { room } }, body });
      setLink(await linkOf(sent));
      setWritten("");
      return { requestIds: [] };
    });

  return (
    <div class="control">
      <h2>{speech.text(texts.bypass.title)}</h2>
      <LineForm
        id="control-bypass"
        label={speech.text(texts.bypass.note)}
        go={speech.text(texts.bypass.create)}
        hint={speech.text(texts.bypass.hint)}
        value={written}
        mayGo={!actions.isBusy}
        field={{ dir: "auto", maxLength: 200 }}
        onWritten={setWritten}
        onGo={() => void make()}
      />
      {link && <LinkToCopy key={link.url} link={link} hasCode />}
    </div>
  );
}
