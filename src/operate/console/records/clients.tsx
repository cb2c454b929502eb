/** The relying parties: each a site that sends its visitors to Usher. */
import type { AdminAnswers } from "../../client/index.ts";
import type { Allowed } from "../forms/field.ts";
import { type ScreenProps, useConsole } from "../frame/console.ts";
import type { LocalizedTexts } from "../frame/speech.ts";
import { texts as frameTexts } from "../frame/texts.ts";
import { CopyField } from "../parts/elements.tsx";
import { State, sourceColumn } from "./cells.tsx";
import { endpointsOf, profiles, snippetCommand } from "./client-setup.ts";
import { addressOf, type RecordField, type RecordScreenKind } from "./record.ts";
import { RecordScreen } from "./record-screen.tsx";
import { Secrets } from "./secrets.tsx";

type Client = AdminAnswers["Client"];

const texts = {
  client: { en: "Client", de: "Client" },
  profile: { en: "Kind of site", de: "Art der Website" },
  shadowed: {
    en: "The configuration file has a client of this id, which is in force.",
    de: "Die Konfigurationsdatei hat einen Client mit diesem Namen; der ist in Kraft.",
  },
  secret: { en: "The secret of the client", de: "Das Geheimnis des Clients" },
  secretNote: {
    en: "Enter it at the site, as client_secret.",
    de: "Tragen Sie es auf der Website als client_secret ein.",
  },
  setup: { en: "What to enter at the site", de: "Was auf der Website einzutragen ist" },
  setupSecret: {
    en: "shown when it was made; if it was lost, make a new one",
    de: "wurde beim Erstellen gezeigt; ist es verloren, erstellen Sie ein neues",
  },
  noSecret: { en: "none", de: "keines" },
  snippet: {
    en: "This command prints the settings for the site, with these values in them:",
    de: "Dieser Befehl gibt die Einstellungen für die Website aus, mit diesen Werten darin:",
  },
  command: { en: "The command", de: "Der Befehl" },
  deleteWarning: {
    en: "Its codes and tokens are void at once, and its visitors get an error page. Their places in line and their admissions stay.",
    de: "Seine Codes und Tokens sind sofort ungültig, und seine Besucher bekommen eine Fehlerseite. Ihre Plätze in der Schlange und ihr Einlass bleiben.",
  },
} satisfies LocalizedTexts;

const states = {
  active: <State tone="good" text={{ en: "in force", de: "in Kraft" }} />,
  shadowed: <State tone="look" text={{ en: "not in force", de: "nicht in Kraft" }} />,
  unusable: <State tone="act" text={{ en: "unusable", de: "unbrauchbar" }} />,
} as const;

const unset = frameTexts.form.default;
const address: Allowed = { kind: "text", lengthMax: 0, isAddress: true };
const addresses: Allowed = { kind: "list", itemsMax: 0, areAddresses: true };
const yesOrNo: Allowed = { kind: "flag", unset };

/** What is entered: first what every client needs, the rest behind a fold. */
const fields: readonly RecordField[] = [
  {
    path: "profile",
    label: texts.profile,
    hint: {
      en: "It decides what is usual for the settings below.",
      de: "Sie bestimmt, was bei den Einstellungen unten üblich ist.",
    },
    allowed: { kind: "choice", choices: Object.keys(profiles), labels: profiles },
  },
  {
    path: "client_id",
    isFixed: true,
    label: texts.client,
    hint: {
      en: "A name for it, such as box-office. Left empty, Usher makes one.",
      de: "Ein Name, etwa box-office. Ohne Angabe wählt Usher einen.",
    },
    allowed: { kind: "text", lengthMax: 128 },
  },
  {
    path: "redirect_uris",
    isRequired: true,
    label: { en: "Redirect URIs", de: "Redirect-URIs" },
    hint: {
      en: "Where the site takes answers, each on its own line. The guide of the site names it.",
      de: "Wo die Website Antworten annimmt, je eine pro Zeile. Die Anleitung zur Website nennt sie.",
    },
    allowed: addresses,
  },
  {
    path: "rooms",
    label: frameTexts.rooms,
    hint: { en: "In which rooms its visitors wait.", de: "In welchen Räumen ihre Besucher warten." },
    allowed: { kind: "rooms" },
  },
  {
    path: "initiate_login_uri",
    isFurther: true,
    label: { en: "Where the site starts a login", de: "Wo die Website eine Anmeldung beginnt" },
    hint: {
      en: "Usher sends visitors there who come from elsewhere, or whose login has become too old.",
      de: "Dorthin schickt Usher Besucher, die von anderswo kommen oder deren Anmeldung zu alt wurde.",
    },
    allowed: address,
  },
  {
    path: "token_endpoint_auth_method",
    isFurther: true,
    label: { en: "Authentication at the token endpoint", de: "Authentifizierung am Token-Endpunkt" },
    hint: {
      en: "private_key_jwt takes a key of the site's own, none makes a public client: neither has a secret.",
      de: "private_key_jwt verlangt einen eigenen Schlüssel der Website, none macht einen öffentlichen Client: Beide haben kein Geheimnis.",
    },
    allowed: {
      kind: "choice",
      choices: ["client_secret_basic", "client_secret_post", "private_key_jwt", "none"],
      unset,
    },
  },
  {
    path: "jwks_uri",
    isFurther: true,
    label: { en: "Where the site's own keys are", de: "Wo die eigenen Schlüssel der Website stehen" },
    hint: { en: "For private_key_jwt.", de: "Für private_key_jwt." },
    allowed: address,
  },
  {
    path: "target_link_uris",
    isFurther: true,
    label: { en: "Pages that a link may lead to", de: "Seiten, zu denen ein Link führen darf" },
    hint: {
      en: "Each on its own line; a * at the end stands for whatever follows.",
      de: "Je eine pro Zeile; ein * am Ende steht für alles, was folgt.",
    },
    allowed: addresses,
  },
  {
    path: "post_logout_redirect_uris",
    isFurther: true,
    label: { en: "Where visitors go after signing out", de: "Wohin Besucher nach dem Abmelden kommen" },
    allowed: addresses,
  },
  {
    path: "backchannel_logout_uri",
    isFurther: true,
    label: { en: "Where the end of a visit is told", de: "Wo das Ende eines Besuchs gemeldet wird" },
    allowed: address,
  },
  {
    path: "login_timeout",
    isFurther: true,
    label: { en: "How long the site remembers a login", de: "Wie lange die Website sich eine Anmeldung merkt" },
    hint: { en: "A time such as 5m, from 1s to 1d.", de: "Eine Zeit wie 5m, von 1s bis 1d." },
    allowed: { kind: "duration", range: "1s to 1d" },
  },
  {
    path: "remembered_logins",
    isFurther: true,
    label: {
      en: "Logins that it remembers in one browser",
      de: "Anmeldungen, die sie sich in einem Browser merkt",
    },
    allowed: { kind: "choice", choices: ["one", "many"], unset },
  },
  {
    path: "require_pkce",
    isFurther: true,
    label: { en: "PKCE is required", de: "PKCE ist Pflicht" },
    allowed: yesOrNo,
  },
  {
    path: "refresh_tokens",
    isFurther: true,
    label: { en: "Refresh tokens", de: "Refresh-Tokens" },
    allowed: yesOrNo,
  },
  {
    path: "id_token_signed_response_alg",
    isFurther: true,
    label: { en: "ID tokens are signed by", de: "ID-Tokens werden signiert mit" },
    allowed: { kind: "choice", choices: ["RS256", "PS256", "ES256", "EdDSA"], unset },
  },
];

const roomsOf = ({ settings }: Client) => settings?.rooms.join(", ") ?? "";
const isOfApi = ({ source }: Client) => source === "admin_api";

export const clients: RecordScreenKind<Client, { readonly clients: readonly Client[] }> = {
  name: "client",
  address: "/console/clients",
  collection: "/admin/clients",
  parameter: "client",
  everyMs: 30_000,
  texts: {
    what: {
      en: "A client is a site that sends its visitors to Usher: a load balancer, a proxy, a shop.",
      de: "Ein Client ist eine Website, die ihre Besucher zu Usher schickt: ein Load-Balancer, ein Proxy, ein Shop.",
    },
    none: {
      en: "There is no client yet. Make one for each site that sends its visitors here.",
      de: "Es gibt noch keinen Client. Legen Sie für jede Website einen an, die ihre Besucher hierher schickt.",
    },
    newRecord: { en: "New client", de: "Neuer Client" },
    create: { en: "Make the client", de: "Client anlegen" },
    missing: {
      en: "There is no such client. Somebody may have deleted it.",
      de: "Diesen Client gibt es nicht. Vielleicht hat ihn jemand gelöscht.",
    },
  },
  rowsOf: (page) => page.clients,
  idOf: ({ client_id }) => client_id,
  keyOf: ({ client_id, source, issuer }) => `${client_id} ${source} ${issuer}`,
  queryOf: ({ source }) => ({ source }),
  wordsOf: (client) => [client.client_id, client.settings?.profile ?? null, roomsOf(client), client.status],
  isOfFile: ({ source }) => source === "file",
  columns: [
    {
      title: texts.client,
      cell: (client) => (
        <a href={addressOf(clients, client)} dir="auto">
          {client.client_id}
        </a>
      ),
    },
    { title: texts.profile, cell: ({ settings }) => settings?.profile ?? "–" },
    { title: frameTexts.rooms, cell: (client) => roomsOf(client) || "–" },
    sourceColumn,
    { title: frameTexts.record.status, cell: (client) => <Status row={client} /> },
  ],
  form: {
    item: "/admin/clients/{client}",
    fields: () => fields,
    documentOf: ({ document }) => ({ profile: "generic", ...documentWithRooms(document ?? {}) }),
    // The API has `room` for one room, and `rooms` for several.
    aliases: { room: "rooms" },
    alsoChanged: ({ document }, patch) =>
      document !== null && "room" in document && patch.rooms !== undefined ? { room: null } : {},
  },
  secret: {
    label: (_, { speech }) => speech.text(texts.secret),
    // A client with a key of its own has none.
    of: ({ client_secret: secret }) => (typeof secret === "string" ? secret : undefined),
    note({ previous_secret_expires_at: end }, { nowMs, speech }) {
      const note = speech.text(texts.secretNote);
      if (end === undefined) return note;
      const endMs = Date.parse(String(end));
      const previous =
        end === null || endMs <= nowMs
          ? speech.text(frameTexts.secret.previousEnded)
          : speech.text(frameTexts.secret.previous, { time: speech.time(endMs, nowMs) });
      return `${note} ${previous}`;
    },
  },
  steps: [
    { name: "edit", does: "edit", label: frameTexts.list.edit, isFor: isOfApi },
    {
      name: "secret",
      does: "newSecret",
      label: frameTexts.secret.create,
      isFor: (client) => isOfApi(client) && client.secrets.length > 0,
      path: "/admin/clients/{client}/secret",
    },
    {
      name: "delete",
      does: "request",
      label: frameTexts.list.remove,
      isDangerous: true,
      isLast: true,
      isFor: isOfApi,
      question: ({ client_id: id }, { speech }) => ({
        title: speech.text(frameTexts.record.delete, { id }),
        would: speech.text(texts.deleteWarning),
        typed: id,
      }),
      request: () => ({ method: "DELETE", path: "/admin/clients/{client}" }),
    },
  ],
  Status,
  Details: ({ row }) => (
    <>
      <Setup client={row} />
      <Settings client={row} />
    </>
  ),
};

export function ClientsScreen({ title }: ScreenProps) {
  return <RecordScreen kind={clients} title={title} />;
}

function documentWithRooms({
  room,
  ...document
}: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return room === undefined ? document : { ...document, rooms: [room] };
}

/** With what is the matter with it. */
function Status({ row: { status, faults, warnings } }: { readonly row: Client }) {
  const { speech } = useConsole();
  return (
    <>
      {states[status]}
      {status === "shadowed" && <p class="hint">{speech.text(texts.shadowed)}</p>}
      {[...faults, ...warnings].map((message) => (
        <p class="hint" dir="auto" key={message}>
          {message}
        </p>
      ))}
    </>
  );
}

/** What to enter at the site. */
function Setup({ client: { client_id: id, issuer, settings } }: { readonly client: Client }) {
  const { speech } = useConsole();
  const command = settings && snippetCommand(id, settings.profile);
  const hasSecret = !["none", "private_key_jwt"].includes(settings?.token_endpoint_auth_method ?? "");
  return (
    <section class="detail" aria-labelledby="enter-title">
      <h2 id="enter-title">{speech.text(texts.setup)}</h2>
      <dl>
        {[["client_id", id] as const, ...endpointsOf(issuer)].map(([name, value]) => (
          <div class="contents" key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd dir="ltr">{value}</dd>
          </div>
        ))}
        <dt>
          <code>client_secret</code>
        </dt>
        <dd>{speech.text(hasSecret ? texts.setupSecret : texts.noSecret)}</dd>
      </dl>
      {command && (
        <div class="fact-copied">
          <p>{speech.text(texts.snippet)}</p>
          <CopyField label={speech.text(texts.command)} value={command} />
        </div>
      )}
    </section>
  );
}

/** All settings in force, defaults included, and the secrets that work: never a secret itself. */
function Settings({ client: { settings, secrets } }: { readonly client: Client }) {
  const { speech } = useConsole();
  return (
    <section class="detail" aria-labelledby="in-force-title">
      <h2 id="in-force-title">{speech.text(frameTexts.record.inForce)}</h2>
      <dl>
        {Object.entries(settings ?? {}).map(([name, value]) => (
          <div class="contents" key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd dir="auto">{settingInWords(value)}</dd>
          </div>
        ))}
        <dt>{speech.text(frameTexts.secret.current)}</dt>
        <dd>
          <Secrets secrets={secrets} />
        </dd>
      </dl>
    </section>
  );
}

function settingInWords(value: unknown) {
  if (value === null || value === undefined || value === "") return "–";
  if (!Array.isArray(value) || !value.every((item) => typeof item === "string")) {
    return typeof value === "string" ? value : JSON.stringify(value);
  }
  if (value.length === 0) return "–";
  return (
    <ul>
      {value.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  );
}
