import { useState } from "preact/hooks";
import { useConsole } from "../context.ts";
import { LineForm } from "../parts/line-form.tsx";
import type { ControlProps } from "../room/controls/control-props.ts";
import { LinkShown } from "./link-shown.tsx";
import { type MadeLink, madeLink } from "./made-link.ts";

/** Makes a link that lets one person in ahead of the line. It is shown here alone, and never again. */
export function BypassControl({ room, actions }: Pick<ControlProps, "room" | "actions">) {
  const { api, speech } = useConsole();
  const [written, setWritten] = useState("");
  const [link, setLink] = useState<MadeLink | null>(null);
  const note = written.trim();

  const make = () =>
    actions.carryOut(speech.text("done.bypass"), async () => {
      const body = note === "" ? {} : { note };
      const asking = api.ask.POST("/admin/rooms/{room}/bypass", { params: { path: { room } }, body });
      setLink(await madeLink(asking));
      setWritten("");
      return { requestIds: [] };
    });

  return (
    <div class="control">
      <h2>{speech.text("bypass")}</h2>
      <LineForm
        id="control-bypass"
        label={speech.text("bypass.note")}
        go={speech.text("bypass.go")}
        hint={speech.text("bypass.hint")}
        value={written}
        mayGo={!actions.isBusy}
        field={{ dir: "auto", maxLength: 200 }}
        onWritten={setWritten}
        onGo={() => void make()}
      />
      {link && <LinkShown key={link.url} link={link} hasCode />}
    </div>
  );
}
