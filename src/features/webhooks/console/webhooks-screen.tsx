/** Where events are sent: the webhooks, their secrets, tests of them, and what they could not deliver. */
import type { AdminAnswers } from "../../../operate/client/index.ts";
import type { Option } from "../../../operate/console/forms/field.ts";
import { type ScreenProps, useConsole } from "../../../operate/console/frame/console.ts";
import type { LocalizedTexts } from "../../../operate/console/frame/speech.ts";
import { texts as frameTexts } from "../../../operate/console/frame/texts.ts";
import { roomsColumn, State, sourceColumn } from "../../../operate/console/records/cells.tsx";
import { addressOf, type RecordField, type RecordScreenKind } from "../../../operate/console/records/record.ts";
import { RecordScreen } from "../../../operate/console/records/record-screen.tsx";
import { Secrets } from "../../../operate/console/records/secrets.tsx";
import { type Attempt, AttemptNote, DeadLetters } from "./dead-letters.tsx";

type Webhook = AdminAnswers["Webhook"];
interface WebhookPage {
  readonly webhooks: readonly Webhook[];
  /** All that there are. */
  readonly event_types: readonly string[];
}

const texts = {
  webhook: { en: "Webhook", de: "Webhook" },
  receiver: { en: "Receiver", de: "Empfänger" },
  url: { en: "Address", de: "Adresse" },
  types: { en: "Events", de: "Ereignisse" },
  format: { en: "Format", de: "Format" },
  formats: {
    cloudevents: { en: "CloudEvents", de: "CloudEvents" },
    slack: { en: "Slack: a line of words", de: "Slack: eine Zeile Text" },
  },
  enabled: { en: "sends", de: "sendet" },
  disabled: { en: "keeps events back", de: "hält Ereignisse zurück" },
  secret: { en: "The secret of the webhook", de: "Das Geheimnis des Webhooks" },
  secretNote: {
    en: "Enter it at the receiver, which checks by it that an event is from Usher.",
    de: "Tragen Sie es beim Empfänger ein, der damit prüft, ob ein Ereignis von Usher ist.",
  },
  deleteWarning: {
    en: "It is removed at once, with all that waits for it and its dead letters.",
    de: "Er wird sofort entfernt, mit allem, was auf ihn wartet, und seinen unzustellbaren Ereignissen.",
  },
} satisfies LocalizedTexts;

function fieldsFor(pages: readonly WebhookPage[]): readonly RecordField[] {
  const types = pages[0]?.event_types ?? [];
  return [
    {
      path: "url",
      isRequired: true,
      label: texts.url,
      hint: { en: "The https address of the receiver.", de: "Die https-Adresse des Empfängers." },
      allowed: { kind: "text", lengthMax: 2_048, isAddress: true },
    },
    {
      path: "note",
      label: frameTexts.record.note,
      hint: { en: "What it is for (optional).", de: "Wofür er ist (freiwillig)." },
      allowed: { kind: "text", lengthMax: 200 },
    },
    {
      path: "rooms",
      label: frameTexts.rooms,
      hint: {
        en: "None ticked: all rooms, and what is of no room.",
        de: "Keiner angekreuzt: alle Räume, und was zu keinem Raum gehört.",
      },
      allowed: { kind: "rooms" },
    },
    {
      path: "types",
      label: texts.types,
      hint: {
        en: "None ticked: all but figures and admissions, which come often. A * stands for all that begin so.",
        de: "Keines angekreuzt: alle außer Zahlen und Einlässen, die oft kommen. Ein * steht für alle, die so beginnen.",
      },
      allowed: { kind: "several", optionsOf: (chosen) => typeOptions(types, chosen) },
    },
    {
      path: "format",
      label: texts.format,
      allowed: { kind: "choice", choices: Object.keys(texts.formats), labels: texts.formats },
    },
    {
      path: "enabled",
      label: { en: "Sending", de: "Versand" },
      allowed: { kind: "flag", labels: [texts.enabled, texts.disabled] },
    },
  ];
}

/** Every type, each after the beginning of its kind, and what else was chosen already. */
function typeOptions(types: readonly string[], chosen: readonly string[]): Option[] {
  const kinds = [...new Set(types.map(kindOf))];
  const all = kinds.flatMap((kind) => [kind, ...types.filter((type) => kindOf(type) === kind)]);
  const beginnings = chosen.filter((type) => type.endsWith("*"));
  const isImplied = (value: string) =>
    beginnings.some((type) => type !== value && value.startsWith(type.slice(0, -1)) && value.length >= type.length);
  return [...new Set([...all, ...chosen])].map((value) => ({ value, text: value, isImplied: isImplied(value) }));
}

/** `usher.room.*` for `usher.room.full`. */
function kindOf(type: string): string {
  return `${type.split(".").slice(0, 2).join(".")}.*`;
}

const isOfApi = ({ source }: Webhook) => source === "admin_api";
const hostOf = ({ url }: Webhook) => new URL(url).host;

const webhooks: RecordScreenKind<Webhook, WebhookPage> = {
  name: "webhook",
  address: "/console/webhooks",
  collection: "/admin/webhooks",
  parameter: "webhook",
  everyMs: 30_000,
  texts: {
    what: {
      en: "A webhook is an address to which Usher posts what happens, signed and in order.",
      de: "Ein Webhook ist eine Adresse, an die Usher schickt, was geschieht: signiert und der Reihe nach.",
    },
    none: {
      en: "There is no webhook yet. Make one for each receiver.",
      de: "Es gibt noch keinen Webhook. Legen Sie für jeden Empfänger einen an.",
    },
    newRecord: { en: "New webhook", de: "Neuer Webhook" },
    create: { en: "Make the webhook", de: "Webhook anlegen" },
    missing: {
      en: "There is no such webhook. Somebody may have deleted it.",
      de: "Diesen Webhook gibt es nicht. Vielleicht hat ihn jemand gelöscht.",
    },
  },
  rowsOf: (page) => page.webhooks,
  idOf: ({ id }) => id,
  wordsOf: (webhook) => [webhook.id, hostOf(webhook), webhook.note, ...(webhook.rooms ?? [])],
  isOfFile: ({ source }) => source === "file",
  columns: [
    {
      title: texts.webhook,
      cell: (webhook) => (
        <>
          <a href={addressOf(webhooks, webhook)} dir="auto">
            {webhook.id}
          </a>
          {webhook.note !== null && (
            <p class="hint" dir="auto">
              {webhook.note}
            </p>
          )}
        </>
      ),
    },
    // The rest of an address may be a secret, as Slack's is.
    { title: texts.receiver, cell: hostOf },
    roomsColumn,
    { title: texts.types, cell: ({ types }, { speech }) => speech.number(types.length) },
    sourceColumn,
    { title: frameTexts.record.status, cell: (webhook) => <Enabled webhook={webhook} /> },
  ],
  form: { item: "/admin/webhooks/{webhook}", fields: fieldsFor },
  secret: {
    label: (_, { speech }) => speech.text(texts.secret),
    of: ({ secret }) => String(secret),
    note: (_, { speech }) => speech.text(texts.secretNote),
  },
  steps: [
    {
      name: "test",
      does: "request",
      label: { en: "Send a test", de: "Test senden" },
      request: () => ({ method: "POST", path: "/admin/webhooks/{webhook}/test" }),
      Result: ({ answer }) => <AttemptNote attempt={answer as Attempt} />,
    },
    { name: "edit", does: "edit", label: frameTexts.list.edit, isFor: isOfApi },
    {
      name: "secret",
      does: "newSecret",
      label: frameTexts.secret.create,
      isFor: isOfApi,
      path: "/admin/webhooks/{webhook}/secret",
    },
    {
      name: "delete",
      does: "request",
      label: frameTexts.list.remove,
      isDangerous: true,
      isLast: true,
      isFor: isOfApi,
      question: ({ id }, { speech }) => ({
        title: speech.text(frameTexts.record.delete, { id }),
        would: speech.text(texts.deleteWarning),
        typed: id,
      }),
      request: () => ({ method: "DELETE", path: "/admin/webhooks/{webhook}" }),
    },
  ],
  Details: ({ row }) => (
    <>
      <Settings webhook={row} />
      <DeadLetters id={row.id} />
    </>
  ),
};

export function WebhooksScreen({ title }: ScreenProps) {
  return <RecordScreen kind={webhooks} title={title} />;
}

function Enabled({ webhook: { enabled } }: { readonly webhook: Webhook }) {
  return <State tone={enabled ? "good" : "look"} text={enabled ? texts.enabled : texts.disabled} />;
}

function Settings({ webhook }: { readonly webhook: Webhook }) {
  const { speech } = useConsole();
  const { url, rooms, types, format, note, secrets, created_by: by } = webhook;
  return (
    <section class="detail" aria-labelledby="facts-title">
      <h2 id="facts-title">{speech.text(frameTexts.record.inForce)}</h2>
      <dl>
        <dt>{speech.text(frameTexts.record.status)}</dt>
        <dd>
          <Enabled webhook={webhook} />
        </dd>
        <dt>{speech.text(texts.url)}</dt>
        <dd dir="ltr">{url}</dd>
        <dt>{speech.text(frameTexts.record.note)}</dt>
        <dd dir="auto">{note ?? "–"}</dd>
        <dt>{speech.text(frameTexts.rooms)}</dt>
        <dd>{rooms?.join(", ") ?? speech.text(frameTexts.allRooms)}</dd>
        <dt>{speech.text(texts.types)}</dt>
        <dd>
          <ul>
            {types.map((type) => (
              <li key={type}>
                <code>{type}</code>
              </li>
            ))}
          </ul>
        </dd>
        <dt>{speech.text(texts.format)}</dt>
        <dd>{speech.text(texts.formats[format])}</dd>
        <dt>{speech.text(frameTexts.secret.current)}</dt>
        <dd>
          <Secrets secrets={secrets} />
        </dd>
        <dt>{speech.text(frameTexts.record.createdBy)}</dt>
        <dd dir="auto">{by ?? "–"}</dd>
      </dl>
    </section>
  );
}
