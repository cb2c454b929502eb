/** From AWS's Virtual Waiting Room: `aws cloudformation describe-stacks`, of the core stack and of those of its inlets. */
import { formatTime } from "../../config/index.ts";
import { isObject } from "../../lib/json.ts";
import { CommandError } from "../../operate/commands/terminal.ts";
import { exact, type KeyLine, type Line, leftOut, nearly, notNeeded, remark, yours } from "./document.ts";
import { type Input, type Members, requireKind } from "./input.ts";
import { createNames, durationLine, type MemberReader, readMembers, textOf, titleOf, wholeOf } from "./values.ts";

const expected = "stacks: aws cloudformation describe-stacks > stacks.json";
const eventsMax = 100;
const stacksMax = 2_000;

interface Stack {
  readonly name: string;
  /** Region and account, as its id has them. */
  readonly place: string;
  readonly parameters: MemberReader;
  readonly outputs: MemberReader;
  readonly has: (parameter: string) => boolean;
  readonly isDeleted: boolean;
}

/** A core stack with the inlets that serve it. */
interface Event {
  readonly id: string;
  readonly core: Stack;
  readonly inlets: Stack[];
  readonly privateUrl: string | null;
  readonly tokenIssuer: string | null;
}

/** @throws CommandError where there is nothing to migrate */
export function migrateAws(inputs: readonly Input[]): Line[] {
  for (const input of inputs) requireKind(input, ["stacks"], expected);
  const stacks = inputs.flatMap(({ json }) => (json.Stacks as unknown[]).filter(isObject).map(readStack));
  if (stacks.length > stacksMax) throw new CommandError(`there are more than ${stacksMax} stacks: name fewer`);
  const live = stacks.filter(({ isDeleted }) => !isDeleted);
  const { events, others } = eventsOf(live.filter(isCore));
  for (const inlet of live.filter(isInlet)) {
    const reason = attach(inlet, events);
    if (reason !== null) others.push(leftOut(`stack ${inlet.name}`, reason));
  }
  for (const { name } of live.filter((stack) => !isCore(stack) && !isInlet(stack)))
    others.push(notNeeded(`stack ${name}`, "neither a waiting room nor an inlet"));
  if (events.length === 0)
    throw new CommandError(
      `no stack is the core of a waiting room (EventId and ValidityPeriod, with an event id of letters, digits and ._~-): ${inputs.map(({ file }) => file).join(", ")}`,
    );
  const nameFor = createNames(32, "room");
  const rooms = events.map((event) => ({ event, id: nameFor(event.id) }));
  return [
    ...others,
    { key: "rooms", items: rooms.map(({ event, id }) => roomLines(event, id)) },
    { key: "homes", lines: [{ key: "aws", lines: homeLines(rooms) }] },
  ];
}

function readStack(stack: Members): Stack {
  const list = (value: unknown, key: string, of: string) =>
    Object.fromEntries(
      (Array.isArray(value) ? value : []).filter(isObject).flatMap((each) => {
        const name = textOf(each[key]);
        return name === null || name === "__proto__" ? [] : [[name, each[of]]];
      }),
    );
  const parameters = list(stack.Parameters, "ParameterKey", "ParameterValue");
  const [, , , region, account] = (textOf(stack.StackId) ?? "").split(":");
  return {
    name: textOf(stack.StackName) ?? "without a name",
    place: [region, account].filter(Boolean).join(", account "),
    parameters: readMembers(parameters),
    outputs: readMembers(list(stack.Outputs, "OutputKey", "OutputValue")),
    has: (name) => Object.hasOwn(parameters, name),
    isDeleted: stack.StackStatus === "DELETE_COMPLETE",
  };
}

function isCore(stack: Stack): boolean {
  return stack.has("EventId") && stack.has("ValidityPeriod");
}

function isInlet(stack: Stack): boolean {
  return stack.has("EventId") && (stack.has("InletStrategy") || stack.has("IncrementBy") || stack.has("MaxSize"));
}

/** A nested core stack and the stack around it are one: the first knows more. */
function eventsOf(stacks: readonly Stack[]): { readonly events: Event[]; readonly others: Line[] } {
  const found = stacks.map((core): Event => {
    const { outputs } = core;
    return {
      id: core.parameters.text("EventId") ?? "",
      core,
      inlets: [],
      privateUrl: outputs.text("PrivateApiInvokeURL"),
      tokenIssuer: outputs.text("PublicTokenIssuer"),
    };
  });
  const [events, others]: [Event[], Line[]] = [[], []];
  for (const event of found.toSorted((a, b) => Number(a.tokenIssuer === null) - Number(b.tokenIssuer === null))) {
    const about = `stack ${event.core.name}`;
    const other = events.find(({ id }) => id === event.id);
    if (!/^[\w.~-]{1,100}$/.test(event.id) || event.id === "__proto__")
      others.push(leftOut(about, "its event id has other characters than letters, digits and ._~-"));
    else if (events.length === eventsMax) others.push(leftOut(about, `an issuer has at most ${eventsMax} events`));
    else if (other === undefined) events.push(event);
    else if (event.privateUrl !== null && event.privateUrl === other.privateUrl)
      others.push(notNeeded(about, `the same waiting room as the stack ${other.core.name}`));
    else
      others.push(
        leftOut(about, `${event.id} is the stack ${other.core.name} here: migrate it for an issuer of its own`),
      );
  }
  return { events, others };
}

/** @returns why it serves none; null where it does */
function attach(inlet: Stack, events: readonly Event[]): string | null {
  const [id, url] = [inlet.parameters.text("EventId"), inlet.parameters.text("PrivateCoreApiEndpoint")];
  const event = events.find((each) => each.id === id);
  if (event === undefined) return `an inlet of the event ${id}, whose core stack is in no file: name that, too`;
  if (url !== null && event.privateUrl !== null && new Set([url, event.privateUrl].map(withoutSlash)).size > 1)
    return `an inlet of another waiting room with the event ${id}: migrate it with its own core stack`;
  event.inlets.push(inlet);
  return null;
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}

function roomLines({ id: eventId, core, inlets }: Event, id: string): Line[] {
  const { parameters } = core;
  const of = `event ${eventId} of the stack ${core.name}${core.place === "" ? "" : ` (${core.place})`}`;
  const validity = parameters.whole("ValidityPeriod");
  const expiry = parameters.whole("QueuePositionExpiryPeriod");
  const expires = parameters.flag("EnableQueuePositionExpiry") ?? core.has("QueuePositionExpiryPeriod");
  const serves = parameters.flag("IncrSvcOnQueuePositionExpiry");
  const makesEvents = parameters.flag("EnableEventsGeneration");
  parameters.take("RedisPort");
  const claim: KeyLine = expires
    ? durationLine(
        "claim_within",
        { name: "QueuePositionExpiryPeriod", value: expiry, unitMs: 1_000, usual: 900 },
        [1_000, 86_400_000],
      )
    : {
        key: "claim_within",
        value: "1d",
        note: nearly("places do not expire there; here each does, after a day at most"),
      };
  return [
    { key: "id", value: id, note: id === eventId ? exact(of) : nearly(of) },
    { key: "title", value: titleOf(eventId) ?? id, note: yours("the name that visitors read") },
    ...inletLines(inlets),
    {
      key: "admission",
      lines: [
        durationLine(
          "duration",
          { name: "ValidityPeriod", value: validity, unitMs: 1_000, usual: 3_600 },
          [1_000, 604_800_000],
        ),
        claim,
      ],
    },
    ...(serves === false
      ? [
          remark(
            "IncrSvcOnQueuePositionExpiry false",
            nearly("an inlet of Usher serves the next where a place expires"),
          ),
        ]
      : []),
    ...(makesEvents === true
      ? [
          leftOut(
            "EnableEventsGeneration",
            "the stack's bus is its own: set homes.aws.event_bus, and admission_events: true here",
          ),
        ]
      : []),
    ...parameters.unread(),
  ];
}

function inletLines(inlets: readonly Stack[]): Line[] {
  const [inlet, ...more] = inlets;
  const manual = exact("moved by increment_serving_counter, as before; Usher's limit is outflow_per_minute");
  if (inlet === undefined) return [{ key: "inlet", value: { type: "manual" }, note: manual }];
  const { parameters, name } = inlet;
  for (const handled of ["EventId", "PrivateCoreApiEndpoint", "CoreApiRegion"]) parameters.take(handled);
  const strategy =
    parameters.text("InletStrategy") ?? (inlet.has("MaxSize") && !inlet.has("IncrementBy") ? "MaxSize" : "Periodic");
  const [increment, size] = [parameters.whole("IncrementBy"), parameters.whole("MaxSize")];
  const [starts, ends] = ["StartTime", "EndTime"].map((key) => readSeconds(parameters.take(key)));
  const alarm = parameters.text("CloudWatchAlarmName");
  const rest = [
    ...(strategy === "Periodic" && alarm !== null && alarm !== "unused"
      ? [
          leftOut(
            `CloudWatchAlarmName ${alarm}`,
            "Usher asks no alarm: inlet.gate holds the line while the site is not well",
          ),
        ]
      : []),
    ...more.map((each) => leftOut(`stack ${each.name}`, "a second inlet of the room, which has one")),
    ...parameters.unread(),
  ];
  if (strategy === "Periodic" && increment !== null && increment >= 1 && increment <= 1_000_000) {
    const times = [
      ...(starts == null ? [] : [timeLine("starts_at", starts, "StartTime")]),
      ...(ends == null || ends <= (starts ?? 0) ? [] : [timeLine("ends_at", ends, "EndTime")]),
    ];
    const limit = nearly(`IncrementBy of the stack ${name}; here no more than this enter in any 60 seconds`);
    const lines = [
      { key: "type", value: "periodic" },
      { key: "outflow_per_minute", value: increment, note: limit },
    ];
    const wrong = ends != null && ends <= (starts ?? 0) ? [leftOut("EndTime", "is not after StartTime")] : [];
    return [{ key: "inlet", lines: [...lines, ...times, ...wrong] }, ...rest];
  }
  if (strategy === "MaxSize" && size !== null && size >= 1 && size <= 10_000_000) {
    const note = nearly(
      `MaxSize of the stack ${name}; here no notification is needed: a visit ends by update_session or in time`,
    );
    return [
      {
        key: "inlet",
        lines: [
          { key: "type", value: "max_active" },
          { key: "max_active", value: size, note },
        ],
      },
      ...rest,
    ];
  }
  return [
    { key: "inlet", value: { type: "manual" }, note: manual },
    leftOut(`the inlet of the stack ${name}`, `InletStrategy ${strategy} has no usable IncrementBy or MaxSize`),
    ...rest,
  ];
}

/** Seconds since 1970; null for none, and for what is no time. */
function readSeconds(value: unknown): number | null {
  const seconds = wholeOf(value);
  return seconds !== null && seconds > 0 && seconds < 32_503_680_000 ? seconds : null;
}

function timeLine(key: string, seconds: number, was: string): KeyLine {
  return { key, value: formatTime(seconds * 1_000), note: exact(`${was} ${seconds}`) };
}

function homeLines(rooms: readonly { readonly event: Event; readonly id: string }[]): Line[] {
  const issuers = [...new Set(rooms.flatMap(({ event }) => event.tokenIssuer ?? []))];
  const usable = issuers.filter(
    (url) => url.length <= 512 && /^https?:\/\/[\x21-\x7e]+$/.test(url) && URL.canParse(url),
  );
  const [issuer, ...others] = usable;
  return [
    { key: "events", lines: rooms.map(({ event, id }) => ({ key: event.id, value: id, note: exact("EventId") })) },
    ...(issuer === undefined
      ? [
          leftOut(
            "PublicTokenIssuer",
            "no stack has this output: authorizers compare it, so set issuer if you have any",
          ),
        ]
      : [{ key: "issuer", value: issuer, note: exact("PublicTokenIssuer") }]),
    ...others.map((other) =>
      leftOut(
        `PublicTokenIssuer ${other}`,
        "an issuer of Usher has one: give that room an issuer of its own, or deploy its authorizers again",
      ),
    ),
    remark("PublicApiInvokeURL", nearly("clients get ISSUER/aws/public instead")),
    remark("PrivateApiInvokeURL", nearly("inlets and the control panel get ISSUER/aws/private/api instead")),
    {
      key: "keys",
      items: [
        [
          {
            key: "access_key_id",
            value: "USHERINLETS",
            note: nearly("IAM roles sign there; Usher cannot know their secrets"),
          },
          {
            key: "secret_access_key",
            value: { from: "env", name: "INLETS_SECRET_ACCESS_KEY" },
            note: yours("40 characters or more: openssl rand -hex 32"),
          },
          { key: "role", value: "operator" },
        ],
      ],
    },
  ];
}
