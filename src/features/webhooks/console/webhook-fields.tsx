import { useConsole } from "../../../operate/console/frame/console.ts";
import { texts as frameTexts } from "../../../operate/console/frame/texts.ts";
import { ChoiceField, TextField, TicksField } from "../../../operate/console/parts/form/fields.tsx";
import { RoomsField } from "../../../operate/console/parts/form/rooms-field.tsx";
import { entryOf, type Form } from "../../../operate/console/parts/form/use-form.ts";
import { texts } from "./texts.ts";
import { formats, typeOptions, type WebhookValues } from "./webhook-values.ts";

interface WebhookFieldsProps {
  readonly form: Form<WebhookValues>;
  /** All that there are. */
  readonly types: readonly string[];
}

export function WebhookFields({ form, types }: WebhookFieldsProps) {
  const { speech } = useConsole();
  const chosen = entryOf(form, "types");
  return (
    <>
      <TextField
        id="webhook-url"
        label={speech.text(texts.url)}
        hint={speech.text(texts.urlHint)}
        entry={entryOf(form, "url")}
        field={{ dir: "ltr", inputMode: "url", maxLength: 2_048 }}
      />
      <TextField
        id="webhook-note"
        label={speech.text(frameTexts.record.note)}
        hint={speech.text(texts.noteHint)}
        entry={entryOf(form, "note")}
        field={{ maxLength: 200 }}
      />
      <RoomsField
        id="webhook-rooms"
        label={speech.text(frameTexts.rooms)}
        hint={speech.text(texts.roomsHint)}
        entry={entryOf(form, "rooms")}
      />
      <TicksField
        id="webhook-types"
        label={speech.text(texts.types)}
        hint={speech.text(texts.typesHint)}
        entry={chosen}
        options={typeOptions(types, chosen.value).map(({ value, isImplied }) => ({
          value,
          text: value,
          isImplied,
        }))}
      />
      <ChoiceField
        id="webhook-format"
        label={speech.text(texts.format)}
        entry={entryOf(form, "format")}
        options={formats.map((each) => ({ value: each, text: speech.text(texts.formats[each]) }))}
      />
      <ChoiceField
        id="webhook-enabled"
        label={speech.text(texts.sending)}
        entry={entryOf(form, "enabled")}
        options={[
          { value: "yes", text: speech.text(texts.enabled) },
          { value: "no", text: speech.text(texts.disabled) },
        ]}
      />
    </>
  );
}
