/** From Queue-it: the integration configuration (`integrationconfig.json`), which says which requests queue, and nothing of the rooms. */
import { isObject } from "../../lib/json.ts";
import { CommandError } from "../../operate/commands/terminal.ts";
import { exact, type KeyLine, type Line, leftOut, nearly, notNeeded, remark, yours } from "./document.ts";
import { type Input, type Members, requireKind } from "./input.ts";
import { createRuleList } from "./rules.ts";
import { createNames, durationLine, hostOf, isNothing, readMembers, textOf, titleOf } from "./values.ts";

const expected = "the integration configuration of Queue-it, integrationconfig.json";
const integrationsMax = 1_000;
const roomsMax = 200;
const hostsMax = 200;
const dayMs = 86_400_000;

interface Integration {
  readonly name: string;
  readonly action: "Queue" | "Cancel" | "Ignore";
  readonly eventId: string | null;
  readonly triggers: readonly unknown[];
  readonly members: Members;
}

/** @throws CommandError where there is nothing to migrate */
export function migrateQueueIt(inputs: readonly Input[]): Line[] {
  for (const input of inputs) requireKind(input, ["integrations"], expected);
  const integrations = inputs.flatMap(({ json }) =>
    (json.Integrations as unknown[]).filter(isObject).map(readIntegration),
  );
  if (integrations.length > integrationsMax)
    throw new CommandError(`there are more than ${integrationsMax} integrations: name fewer files`);
  const customers = new Set(inputs.flatMap(({ json }) => textOf(json.CustomerId) ?? []));
  if (customers.size > 1)
    throw new CommandError(
      `the files are of several customers (${[...customers].slice(0, 5).join(", ")}): migrate each by itself, for an issuer of its own`,
    );
  const eventIds = [
    ...new Set(integrations.flatMap(({ action, eventId }) => (action === "Queue" ? (eventId ?? []) : []))),
  ];
  if (eventIds.length === 0)
    throw new CommandError(
      "no integration sends visitors into a waiting room (ActionType Queue, with an EventId): there is nothing to migrate",
    );
  const [idFor, keyFor] = [createNames(32, "room"), createNames(64, "room")];
  const rooms = eventIds.slice(0, roomsMax).map((eventId) => ({ eventId, id: idFor(eventId), key: keyFor(eventId) }));
  const nowhere = integrations.filter(({ action, eventId }) => action === "Queue" && eventId === null);
  return [
    ...inputs.flatMap(({ json }) => headRemarks(json)),
    ...eventIds.slice(roomsMax).map((id) => leftOut(`event ${id}`, `the home has at most ${roomsMax} rooms`)),
    ...nowhere.map(({ name }) => leftOut(`integration ${name}`, "it queues, and names no event")),
    ...integrations
      .filter(({ action }) => action === "Cancel")
      .map(({ name }) =>
        leftOut(`integration ${name}`, "ActionType Cancel: link to the home's /cancel from that page instead"),
      ),
    { key: "rooms", items: rooms.map(({ eventId, id }) => roomLines(eventId, id, integrations)) },
    { key: "homes", lines: [{ key: "queue_it", lines: homeLines([...customers][0] ?? null, rooms) }] },
  ];
}

function readIntegration(members: Members): Integration {
  const { ActionType: action = "Queue", Triggers: triggers } = members;
  return {
    name: titleOf(textOf(members.Name)) ?? "without a name",
    // Connectors take what they do not know for Ignore, and some a missing one for Queue.
    action: action === "Queue" || action === null ? "Queue" : action === "Cancel" ? "Cancel" : "Ignore",
    eventId: titleOf(textOf(members.EventId)),
    triggers: Array.isArray(triggers) ? triggers : [],
    members,
  };
}

function headRemarks(json: Members): Line[] {
  const reader = readMembers(json);
  const handled = [
    "Integrations",
    "CustomerId",
    "AccountId",
    "Description",
    "Version",
    "PublishDate",
    "ConfigDataVersion",
  ];
  for (const name of handled) reader.take(name);
  return reader.unread();
}

function homeLines(
  customer: string | null,
  rooms: readonly { readonly eventId: string; readonly id: string; readonly key: string }[],
): Line[] {
  const isUsable = customer !== null && /^[A-Za-z0-9]{1,64}$/.test(customer);
  return [
    isUsable
      ? { key: "customer_id", value: customer, note: exact() }
      : {
          key: "customer_id",
          value: "customer",
          note: yours("the customer id that the connectors have: the export has none that fits"),
        },
    {
      key: "secret_key",
      value: { from: "env", name: "QUEUE_IT_SECRET_KEY" },
      note: yours("the connectors' secret key, 36 to 72 characters: no export has it"),
    },
    remark("api_key", yours("only for connectors that pull the integration configuration")),
    {
      key: "rooms",
      lines: rooms.map(({ eventId, id, key }) => {
        const note =
          key === eventId ? exact("EventId") : nearly(`EventId ${eventId}: give the connectors this id instead`);
        return { key, value: id, note };
      }),
    },
    remark("QueueDomain", nearly("connectors get the issuer's host and /queue-it: usher queue-it config writes it")),
  ];
}

function roomLines(eventId: string, id: string, integrations: readonly Integration[]): Line[] {
  const isOwn = ({ action, eventId: of }: Integration) => action === "Queue" && of === eventId;
  const own = integrations.filter(isOwn);
  const last = integrations.findLastIndex(isOwn);
  const list = createRuleList();
  for (const each of integrations.slice(0, last + 1)) if (isOwn(each) || each.action === "Ignore") addRule(list, each);
  const first = integrations.findIndex(isOwn);
  const isBehind = integrations.slice(0, first).some(({ action, eventId: of }) => action === "Queue" && of !== null);
  return [
    { key: "id", value: id, note: id === eventId ? exact("EventId") : nearly(`EventId ${eventId}`) },
    { key: "title", value: own[0]?.name ?? id, note: yours("the name that visitors read") },
    {
      key: "inlet",
      lines: [
        { key: "type", value: "periodic" },
        {
          key: "outflow_per_minute",
          value: 60,
          note: yours("how many enter in a minute: this export says nothing of it"),
        },
      ],
    },
    { key: "admission", lines: admissionLines(own) },
    ...targetLines(own),
    ...(isBehind
      ? [
          remark(
            "order",
            nearly(
              "integrations of other events come first there; a proxy asks for one room, and connectors go by the order of homes.queue_it.rooms",
            ),
          ),
        ]
      : []),
    ...list.lines(),
    ...settingRemarks(own),
  ];
}

function addRule(list: ReturnType<typeof createRuleList>, { name, action, triggers }: Integration): void {
  if (triggers.length === 0) {
    list.skip(name, "it has no triggers, so it never matches");
    return;
  }
  const written = triggers.map(cleanTrigger);
  list.add(name, { triggers: written, action: action === "Queue" ? "queue" : "ignore" }, exact(`integration ${name}`));
}

/** Without members that say nothing, such as `"CookieName": ""`: exports have all of them in each part. */
function cleanTrigger(trigger: unknown): unknown {
  if (!isObject(trigger)) return trigger;
  const { TriggerParts: parts, ...rest } = trigger;
  const written = Array.isArray(parts) ? parts.map((part) => (isObject(part) ? cleanPart(part) : part)) : parts;
  return { ...withoutNothing(rest), TriggerParts: written };
}

/** An empty text is a value to compare with, and the only one that a part may need. */
function cleanPart(part: Members): Members {
  const isList = part.Operator === "EqualsAny" || part.Operator === "ContainsAny";
  const { ValueToCompare: one, ValuesToCompare: several, ...rest } = part;
  return { ...withoutNothing(rest), ...(isList ? { ValuesToCompare: several } : { ValueToCompare: one }) };
}

function withoutNothing(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => !isNothing(value)));
}

function admissionLines(own: readonly Integration[]): Line[] {
  const read = own.map(({ members }) => readMembers(members));
  const minutes = read.flatMap((each) => each.whole("CookieValidityMinute") ?? []);
  const [first = null] = minutes;
  const isExtended = read[0]?.flag("ExtendCookieValidity") === true;
  const duration = durationLine("duration", { name: "CookieValidityMinute", value: first, unitMs: 60_000, usual: 20 }, [
    60_000,
    7 * dayMs,
  ]);
  const isLong = (first ?? 20) * 60_000 >= dayMs;
  const sliding: KeyLine = {
    key: "max_duration",
    value: isLong ? "30d" : "1d",
    note: nearly("ExtendCookieValidity: there a visit goes on without end, here until this"),
  };
  const others =
    new Set(minutes).size > 1
      ? [leftOut("CookieValidityMinute", "integrations of the event differ: the first counts here")]
      : [];
  return [duration, ...(isExtended ? [sliding] : []), ...others];
}

/** Hosts that the triggers name: a home needs addresses to which its visitors may be sent. */
function targetLines(own: readonly Integration[]): Line[] {
  const hosts = [
    ...new Set(own.flatMap(({ triggers, members }) => [...triggers.flatMap(hostsOf), ...hostsOfTarget(members)])),
  ];
  const found = hosts.slice(0, hostsMax);
  const more = hosts.length > hostsMax ? [leftOut(`${hosts.length - hostsMax} hosts`, "name them in targets")] : [];
  const targets = (host: string) => [`https://${host}/`, `https://${host}/*`];
  if (found.length > 0)
    return [
      { key: "targets", value: found.flatMap(targets), note: nearly("the hosts that the triggers name, whole") },
      ...more,
    ];
  return [
    {
      key: "targets",
      value: targets("shop.example.com"),
      note: yours("no trigger names a host: where visitors may be sent"),
    },
  ];
}

function hostsOf(trigger: unknown): string[] {
  const parts = isObject(trigger) && Array.isArray(trigger.TriggerParts) ? trigger.TriggerParts.filter(isObject) : [];
  return parts.flatMap((part) => {
    if (part.IsNegative === true || !/^Url(?:Validator)?$/.test(String(textOf(part.ValidatorType)))) return [];
    const values = [part.ValueToCompare, ...(Array.isArray(part.ValuesToCompare) ? part.ValuesToCompare : [])].slice(
      0,
      hostsMax,
    );
    return values.flatMap((value) => {
      if (part.UrlPart === "HostName") return hostOf(value) ?? [];
      return part.UrlPart === "PageUrl" ? hostOfUrl(value) : [];
    });
  });
}

function hostsOfTarget({ RedirectLogic: logic, ForcedTargetUrl: url }: Members): string[] {
  return logic === "ForcedTargetUrl" || logic === "ForecedTargetUrl" ? hostOfUrl(url) : [];
}

function hostOfUrl(value: unknown): string[] {
  const host = hostOf(/^https?:\/\/([^/?#:@]+)/i.exec(textOf(value) ?? "")?.[1]);
  return host === null ? [] : [host];
}

/** What else the integrations of an event say, each once. */
function settingRemarks(own: readonly Integration[]): Line[] {
  const lines = own.flatMap(({ members }): Line[] => {
    const reader = readMembers(members);
    const handled = ["Name", "ActionType", "EventId", "Triggers", "QueueDomain", "QueuePathPrefix"];
    for (const name of handled) reader.take(name);
    reader.whole("CookieValidityMinute");
    reader.flag("ExtendCookieValidity");
    const layout = titleOf(reader.text("LayoutName"));
    const culture = titleOf(reader.text("Culture"));
    const domain = titleOf(reader.text("CookieDomain"));
    const [httpOnly, secure] = [reader.flag("IsCookieHttpOnly"), reader.flag("IsCookieSecure")];
    const logic = titleOf(reader.text("RedirectLogic"));
    const forced = titleOf(reader.text("ForcedTargetUrl"));
    const without = ["VerifyQueueIdEnabled", "QueueIdUsageLimit", "IsNormalizationEnabled", "InvolvedWaitingRoomIds"];
    return [
      ...(layout === null ? [] : [leftOut(`LayoutName ${layout}`, "make a theme of this name: rooms[].themes")]),
      ...(culture === null ? [] : [notNeeded(`Culture ${culture}`, "connectors send it with each visitor")]),
      ...(domain === null
        ? []
        : [leftOut(`CookieDomain ${domain}`, "usher queue-it config writes none: set it in the connector")]),
      ...(httpOnly === false ? [remark("IsCookieHttpOnly false", nearly("usher queue-it config writes true"))] : []),
      ...(secure === false
        ? [remark("IsCookieSecure false", nearly("usher queue-it config writes true for https targets"))]
        : []),
      ...(logic === "ForcedTargetUrl" || logic === "ForecedTargetUrl"
        ? [leftOut(`ForcedTargetUrl ${forced ?? ""}`, "visitors come back to the page that they wanted")]
        : []),
      ...(logic === "EventTargetUrl"
        ? [leftOut("RedirectLogic EventTargetUrl", "visitors come back to the page that they wanted")]
        : []),
      ...without.flatMap((name) => (isNothing(reader.take(name)) ? [] : [leftOut(name, "the home does not have it")])),
      ...reader.unread(),
    ];
  });
  const seen = new Map(lines.map((line) => [JSON.stringify(line), line]));
  return [...seen.values()].slice(0, 50);
}
