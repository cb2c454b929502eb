import { type ScreenProps, useConsole } from "../frame/console.ts";
import type { LocalizedTexts } from "../frame/speech.ts";
import { Title } from "../parts/elements.tsx";
import { adminKeys } from "./admin-keys.tsx";
import { RecordSection } from "./record-section.tsx";
import { signingKeys } from "./signing-keys.tsx";

const texts = {
  admin: { en: "Admin keys", de: "Admin-Schlüssel" },
  signing: { en: "Usher's own keys", de: "Ushers eigene Schlüssel" },
  retired: { en: "Retired keys: {n}", de: "Gelöschte Schlüssel: {n}" },
} satisfies LocalizedTexts;

/** Both kinds of keys: those that operators and scripts send, and those that Usher signs with. */
export function KeysScreen({ title }: ScreenProps) {
  const { speech } = useConsole();
  return (
    <>
      <Title text={title} />
      <RecordSection kind={adminKeys} label={speech.text(texts.admin)} />
      <RecordSection
        kind={signingKeys}
        label={speech.text(texts.signing)}
        folded={{
          isFolded: ({ state }) => state === "retired",
          label: (n) => speech.text(texts.retired, { n }),
        }}
      />
    </>
  );
}
