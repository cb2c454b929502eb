import { useState } from "preact/hooks";
import { useConsole } from "../context.ts";
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
    <form
      class="control"
      onSubmit={(event) => {
        event.preventDefault();
        void make();
      }}
    >
      <h2>{speech.text("bypass")}</h2>
      <label for="control-bypass">{speech.text("bypass.note")}</label>
      <div class="row">
        <input
          id="control-bypass"
          dir="auto"
          autocomplete="off"
          maxLength={200}
          value={written}
          onInput={(event) => setWritten(event.currentTarget.value)}
        />
        <button type="submit" disabled={actions.isBusy}>
          {speech.text("bypass.go")}
        </button>
      </div>
      {link && <LinkShown key={link.url} link={link} hasCode />}
    </form>
  );
}
