/** The keys that operators and scripts send. */
import type { AdminAnswers } from "../../client/index.ts";
import type { Console } from "../frame/console.ts";
import type { LocalizedTexts } from "../frame/speech.ts";
import { texts as frameTexts } from "../frame/texts.ts";
import { roleColumn, roomsColumn, State } from "./cells.tsx";
import type { RecordField, RecordKind } from "./record.ts";
import { Secrets } from "./secrets.tsx";

type AdminKey = AdminAnswers["ApiKey"];

const texts = {
  name: { en: "Name", de: "Name" },
  expires: { en: "Expires", de: "Läuft ab" },
  fromFile: { en: "from the configuration file", de: "aus der Konfigurationsdatei" },
  secret: { en: "The secret of {id}", de: "Das Geheimnis von {id}" },
  secretNote: {
    en: "Hand it to whoever is to use the key. It is what they sign in with.",
    de: "Geben Sie es dem, der den Schlüssel benutzen soll. Damit meldet man sich an.",
  },
  newSecret: { en: "New secret of {id}", de: "Neues Geheimnis von {id}" },
  revokeKey: { en: "Revoke {id}", de: "{id} widerrufen" },
  revokeWarning: {
    en: "It is refused from then on, and whoever is signed in with it is signed out.",
    de: "Er wird von da an abgelehnt, und wer damit angemeldet ist, wird abgemeldet.",
  },
  revokeCurrentKeyWarning: {
    en: "You are signed in with this key: it is refused from then on, and you are signed out.",
    de: "Sie sind mit diesem Schlüssel angemeldet: Er wird von da an abgelehnt, und Sie werden abgemeldet.",
  },
} satisfies LocalizedTexts;

const states = {
  active: <State tone="good" text={{ en: "in force", de: "in Kraft" }} />,
  expired: <State tone="act" text={{ en: "expired", de: "abgelaufen" }} />,
  shadowed: (
    <State
      tone="look"
      text={{
        en: "not in force: the configuration file has a key of this name",
        de: "nicht in Kraft: Die Konfigurationsdatei hat einen Schlüssel dieses Namens",
      }}
    />
  ),
} as const;

/** Exported for tests. */
export const fields: readonly RecordField[] = [
  {
    path: "id",
    label: texts.name,
    hint: {
      en: "Letters, digits and _.- such as ticket-desk. Left empty, Usher makes one.",
      de: "Buchstaben, Ziffern und _.- wie in ticket-desk. Ohne Angabe wählt Usher einen.",
    },
    allowed: { kind: "text", lengthMax: 64 },
  },
  {
    path: "role",
    label: frameTexts.record.role,
    hint: { en: "Each role may do all that the one above it may.", de: "Jede Rolle darf alles, was die darüber darf." },
    allowed: { kind: "choice", choices: Object.keys(frameTexts.roles), labels: frameTexts.roles },
  },
  {
    path: "rooms",
    label: frameTexts.rooms,
    hint: { en: "None ticked: all rooms, also those to come.", de: "Keiner angekreuzt: alle Räume, auch künftige." },
    allowed: { kind: "rooms" },
  },
  {
    path: "expires_at",
    label: texts.expires,
    hint: {
      en: "By the clock of this computer. Left empty, it has no end.",
      de: "Nach der Uhr dieses Computers. Ohne Angabe nie.",
    },
    allowed: { kind: "instant" },
  },
  { path: "note", label: frameTexts.record.note, allowed: { kind: "text", lengthMax: 200 } },
];

/** Whether this browser is signed in with a key. */
const isSignedInWith = ({ id }: AdminKey, { principal }: Console) => principal.kind === "key" && principal.id === id;
const isOfApi = ({ source }: AdminKey) => source === "admin_api";

export const adminKeys: RecordKind<AdminKey, { readonly keys: readonly AdminKey[] }> = {
  name: "admin-key",
  collection: "/admin/api-keys",
  parameter: "key",
  everyMs: 30_000,
  texts: {
    what: {
      en: "They let operators and scripts in. Keys of the configuration file are changed there.",
      de: "Mit ihnen kommen Personen und Skripte herein. Schlüssel der Konfigurationsdatei werden dort geändert.",
    },
    none: { en: "There is no admin key.", de: "Es gibt keinen Admin-Schlüssel." },
    newRecord: { en: "New admin key", de: "Neuer Admin-Schlüssel" },
    create: { en: "Make the admin key", de: "Admin-Schlüssel erstellen" },
  },
  rowsOf: (page) => page.keys,
  idOf: ({ id }) => id,
  keyOf: ({ id, source }) => `${id} ${source}`,
  wordsOf: ({ id, role, rooms, note }, { speech }) => [id, speech.text(frameTexts.roles[role]), note, ...(rooms ?? [])],
  columns: [
    {
      title: texts.name,
      cell: (key, context) => (
        <>
          <span dir="auto">{key.id}</span>
          {isSignedInWith(key, context) && key.status === "active" && (
            <span class="state state-good own">{context.speech.text(frameTexts.thisBrowser)}</span>
          )}
          {key.note !== null && (
            <p class="hint" dir="auto">
              {key.note}
            </p>
          )}
          {key.source === "file" && <p class="hint">{context.speech.text(texts.fromFile)}</p>}
        </>
      ),
    },
    roleColumn,
    roomsColumn,
    { title: frameTexts.record.status, cell: ({ status }) => states[status] },
    {
      title: texts.expires,
      cell: ({ expires_at: at }, { nowMs, speech }) =>
        at === null ? speech.text(frameTexts.never) : speech.time(Date.parse(at), nowMs),
    },
    { title: frameTexts.secret.current, cell: ({ secrets }) => <Secrets secrets={secrets} /> },
    { title: frameTexts.record.createdBy, cell: ({ created_by: by }) => <span dir="auto">{by ?? "–"}</span> },
  ],
  form: { fields: () => fields },
  secret: {
    label: (id, { speech }) => speech.text(texts.secret, { id }),
    of: ({ secret }) => String(secret),
    note: (_, { speech }) => speech.text(texts.secretNote),
  },
  steps: [
    {
      name: "rotate",
      does: "newSecret",
      label: frameTexts.secret.create,
      isFor: isOfApi,
      title: (id, { speech }) => speech.text(texts.newSecret, { id }),
      path: "/admin/api-keys/{key}/rotate",
    },
    {
      name: "revoke",
      does: "request",
      label: { en: "Revoke", de: "Widerrufen" },
      isDangerous: true,
      isLast: true,
      isFor: isOfApi,
      question: (key, context) => ({
        title: context.speech.text(texts.revokeKey, { id: key.id }),
        would: context.speech.text(isSignedInWith(key, context) ? texts.revokeCurrentKeyWarning : texts.revokeWarning),
        typed: key.id,
      }),
      request: () => ({ method: "DELETE", path: "/admin/api-keys/{key}" }),
    },
  ],
};
