/** The keys that Usher signs with, from new to retired. */
import type { AdminAnswers } from "../../client/index.ts";
import type { LocalizedTexts } from "../frame/speech.ts";
import { texts as frameTexts } from "../frame/texts.ts";
import type { Column } from "../parts/list-table.tsx";
import { State } from "./cells.tsx";
import { isEarly, type Key, type KeyStep, nextOf, stepsOf, warningOf } from "./key-life.ts";
import type { RecordField, RecordKind, RecordStep } from "./record.ts";

interface KeyPage {
  readonly keys: readonly AdminAnswers["Key"][];
}

const texts = {
  key: { en: "Key", de: "Schlüssel" },
  issuer: { en: "Issuer", de: "Issuer" },
  purpose: { en: "Signs", de: "Signiert" },
  purposes: {
    signing: { en: "ID tokens and admission tokens", de: "ID-Tokens und Einlass-Tokens" },
    tickets: { en: "places in line", de: "Plätze in der Schlange" },
    cookies: { en: "cookies of visitors", de: "Cookies der Besucher" },
    draw: { en: "draws", de: "Verlosungen" },
  },
  alg: { en: "Algorithm", de: "Algorithmus" },
  age: { en: "Age", de: "Alter" },
  sources: {
    configuration: { en: "configuration", de: "Konfiguration" },
    admin_api: { en: "made at run time", de: "im Betrieb erstellt" },
    automatic: { en: "made by Usher for a client", de: "von Usher für einen Client erstellt" },
  },
  next: { en: "What happens next", de: "Was als Nächstes kommt" },
  missing: {
    en: "The process that answered does not have this key.",
    de: "Der Prozess, der geantwortet hat, hat diesen Schlüssel nicht.",
  },
} satisfies LocalizedTexts;

const states = {
  new: <State tone="" text={{ en: "new", de: "neu" }} />,
  staged: <State tone="look" text={{ en: "staged", de: "bekannt gemacht" }} />,
  active: <State tone="good" text={{ en: "active", de: "aktiv" }} />,
  retiring: <State tone="look" text={{ en: "retiring", de: "läuft aus" }} />,
  retired: <State tone="" text={{ en: "retired", de: "gelöscht" }} />,
} as const;

const stepTexts = {
  stage: {
    label: { en: "Stage", de: "Bekannt machen" },
    question: { en: "Stage {kid}", de: "{kid} bekannt machen" },
  },
  promote: {
    label: { en: "Promote", de: "Signieren lassen" },
    question: { en: "Promote {kid}", de: "{kid} signieren lassen" },
  },
  retire: {
    label: { en: "Retire", de: "Löschen" },
    question: { en: "Retire {kid}", de: "{kid} löschen" },
  },
} as const satisfies Readonly<Record<KeyStep, LocalizedTexts>>;

/** A step before its time is forced, and its key's id is typed first. */
function stepOf(name: KeyStep): RecordStep<Key> {
  return {
    name,
    does: "request",
    label: stepTexts[name].label,
    isFor: (key) => stepsOf[key.state].includes(name),
    question: (key, { nowMs, speech }) => ({
      title: speech.text(stepTexts[name].question, { kid: key.kid }),
      would: speech.text(warningOf(key, name, nowMs)),
      typed: isEarly(key, name, nowMs) ? key.kid : null,
    }),
    request: (key, { nowMs }) => ({
      method: "POST",
      path: `/admin/keys/{kid}/${name}`,
      body: name === "stage" ? {} : { force: isEarly(key, name, nowMs) },
    }),
  };
}

const issuersOf = (keys: readonly Key[]) => [...new Set(keys.map(({ issuer }) => issuer))];

/** The issuer is asked for only where there are several. */
function fieldsFor(pages: readonly KeyPage[]): readonly RecordField[] {
  const issuers = issuersOf(pages.flatMap(({ keys }) => keys));
  return [
    {
      path: "purpose",
      label: texts.purpose,
      allowed: { kind: "choice", choices: Object.keys(texts.purposes), labels: texts.purposes },
    },
    {
      path: "alg",
      label: texts.alg,
      allowed: { kind: "choice", choices: ["RS256", "PS256", "ES256", "EdDSA"] },
      isFor: (textAt) => textAt("purpose") === "signing",
    },
    {
      path: "issuer",
      label: texts.issuer,
      allowed: { kind: "choice", choices: issuers },
      isFor: () => issuers.length > 1,
    },
  ];
}

export const signingKeys: RecordKind<Key, KeyPage> = {
  name: "key",
  collection: "/admin/keys",
  parameter: "kid",
  everyMs: 30_000,
  texts: {
    what: {
      en: "Usher signs with them. A key is made, made known (staged), signs (active), is still verified with (retiring), and then retired: in that order nobody loses a place or a login.",
      de: "Mit ihnen signiert Usher. Ein Schlüssel wird erstellt, bekannt gemacht, signiert (aktiv), wird noch geprüft (läuft aus) und dann gelöscht: In dieser Reihenfolge verliert niemand einen Platz oder eine Anmeldung.",
    },
    none: { en: "There is no key.", de: "Es gibt keinen Schlüssel." },
    newRecord: { en: "New key", de: "Neuer Schlüssel" },
    create: { en: "Make the key", de: "Schlüssel erstellen" },
  },
  rowsOf: (page) => page.keys,
  idOf: ({ kid }) => kid,
  keyOf: ({ kid, issuer, purpose }) => `${issuer} ${purpose} ${kid}`,
  wordsOf: ({ kid, issuer, purpose, alg, state }) => [kid, issuer, purpose, alg, state],
  columns: (rows) => [
    { title: texts.key, cell: ({ kid }) => <code>{kid}</code> },
    ...(issuersOf(rows).length > 1 ? [issuerColumn] : []),
    { title: texts.purpose, cell: ({ purpose }, { speech }) => speech.text(texts.purposes[purpose]) },
    { title: texts.alg, cell: ({ alg }) => alg ?? "–" },
    { title: frameTexts.record.status, cell: ({ state }) => states[state] },
    {
      title: texts.age,
      cell: ({ created_at: at }, { nowMs, speech }) => (at === null ? "–" : speech.age(nowMs - Date.parse(at))),
    },
    { title: frameTexts.record.source, cell: ({ source }, { speech }) => speech.text(texts.sources[source]) },
    {
      title: texts.next,
      cell: (key, { nowMs, speech }) => {
        const { text, atMs } = nextOf(key, nowMs);
        return (
          <>
            {speech.text(text, { time: atMs === null ? "" : speech.time(atMs, nowMs) })}
            {!key.held && key.state !== "retired" && <p class="problem">{speech.text(texts.missing)}</p>}
          </>
        );
      },
    },
  ],
  form: { fields: fieldsFor },
  steps: (["stage", "promote", "retire"] as const).map(stepOf),
};

const issuerColumn: Column<Key> = { title: texts.issuer, cell: ({ issuer }) => <span dir="ltr">{issuer}</span> };
