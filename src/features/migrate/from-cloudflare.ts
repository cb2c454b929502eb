/** From Cloudflare's waiting rooms: forward authentication asks for the room, and rules say what queues. */
import { formatTime, readTime } from "../../config/index.ts";
import { type CloudflareRoom, nameOf, readCloudflare } from "./cloudflare-objects.ts";
import { exact, type KeyLine, type Line, leftOut, nearly, notNeeded, remark, yours } from "./document.ts";
import type { Input, Members } from "./input.ts";
import { createRuleList } from "./rules.ts";
import {
  createNames,
  durationLine,
  hostOf,
  isNothing,
  type MemberReader,
  pathOf,
  readMembers,
  textOf,
  titleOf,
} from "./values.ts";

export interface CloudflareOptions {
  readonly nowMs: number;
  /** Of the pages. */
  readonly languages: readonly string[];
}

interface Route {
  readonly host: string;
  /** Without a slash at its end. */
  readonly path: string;
}

const routesMax = 100;
const dayMs = 86_400_000;

/** @throws CommandError where there is nothing to migrate */
export function migrateCloudflare(inputs: readonly Input[], options: CloudflareOptions): Line[] {
  const { rooms, others } = readCloudflare(inputs);
  const nameFor = createNames(32, "room");
  const ids = rooms.map((room) => nameFor(textOf(room.members.name) ?? ""));
  const items = rooms.map((room, at) => roomLines(room, ids[at] ?? "", options));
  const byJson = ids.filter((_, at) => rooms[at]?.members.json_response_enabled === true);
  return [
    remark(
      "Cloudflare itself",
      nearly(
        "put forward authentication before the site, and have it ask for the room of each path (docs/forward-auth.md)",
      ),
    ),
    remark("listen.trusted_proxies", yours("the addresses of the proxies that ask")),
    ...others,
    { key: "rooms", items },
    ...(byJson.length === 0 ? [] : [homeLines(byJson)]),
  ];
}

/** @param ids of rooms whose programs wait by JSON */
function homeLines(ids: readonly string[]): Line {
  const rooms = ids.map(
    (id): Line => ({ key: id, value: true, note: nearly("json_response_enabled (docs/homes/cloudflare.md)") }),
  );
  return { key: "homes", lines: [{ key: "cloudflare", lines: [{ key: "rooms", lines: rooms }] }] };
}

function roomLines(room: CloudflareRoom, id: string, options: CloudflareOptions): Line[] {
  const reader = readMembers(room.members);
  for (const name of ["id", "created_on", "modified_on", "zone_id", "account_id", "timeouts"]) reader.take(name);
  for (const name of ["next_event_prequeue_start_time", "next_event_start_time"]) reader.take(name);
  const name = reader.text("name") ?? "";
  const description = titleOf(reader.text("description"));
  const { routes, refused } = routesOf(reader);
  const zone = textOf(room.members.zone_id);
  const of = `${nameOf(room.members)}${zone === null ? "" : ` of the zone ${zone}`}`;
  const targets = routes.flatMap(({ host, path }) => [
    `https://${host}${path === "" ? "/" : path}`,
    `https://${host}${path}/*`,
  ]);
  return [
    { key: "id", value: id, note: id === name ? exact(of) : nearly(of) },
    {
      key: "title",
      value: description ?? titleOf(name) ?? id,
      note: exact(description === null ? "name" : "description"),
    },
    ...inletLines(reader),
    { key: "admission", lines: admissionLines(reader) },
    ...eventLines(room.events, options.nowMs),
    ...(targets.length === 0
      ? []
      : [
          {
            key: "targets",
            value: targets,
            note: nearly("host, path and additional_routes; there /shop covers /shopping, too"),
          },
        ]),
    ...refused,
    ...pageLines(reader, options.languages),
    ...stateRemarks(reader),
    ...ruleLines(room, routes, refused.length > 0),
    ...reader.unread(),
  ];
}

function routesOf(reader: MemberReader): { readonly routes: readonly Route[]; readonly refused: readonly Line[] } {
  const additional = reader.take("additional_routes");
  const written: unknown[] = [
    { host: reader.take("host"), path: reader.take("path") },
    ...(Array.isArray(additional) ? additional : []),
  ];
  const [routes, refused]: [Route[], Line[]] = [[], []];
  for (const each of written.slice(0, routesMax)) {
    const { host, path } = Object(each) as Members;
    const route = { host: hostOf(host), path: pathOf(path) };
    if (route.host !== null && route.path !== null) routes.push({ host: route.host, path: route.path });
    else
      refused.push(
        leftOut(
          `route ${titleOf(textOf(host)) ?? ""}${titleOf(textOf(path)) ?? ""}`,
          "no host and path that all servers read alike: name it in targets",
        ),
      );
  }
  if (written.length > routesMax) refused.push(leftOut(`${written.length - routesMax} routes`, "name them in targets"));
  const once = new Map(routes.map((route) => [JSON.stringify(route), route]));
  return { routes: [...once.values()], refused };
}

function inletLines(reader: MemberReader): Line[] {
  const [perMinute, active] = [reader.whole("new_users_per_minute"), reader.whole("total_active_users")];
  const method = reader.text("queueing_method") ?? "fifo";
  const outflow = isWithin(perMinute, 1_000_000) ? perMinute : null;
  const maxActive = isWithin(active, 10_000_000) ? active : null;
  const limits = [
    ["new_users_per_minute", perMinute, outflow],
    ["total_active_users", active, maxActive],
  ] as const;
  const type = maxActive !== null ? "max_active" : outflow !== null ? "periodic" : "manual";
  const how: Readonly<Record<string, Line>> = {
    fifo: remark("queueing_method fifo", exact()),
    random: leftOut(
      "queueing_method random",
      "places are drawn before the opening alone (draw); then visitors enter as they came",
    ),
    passthrough: remark("queueing_method passthrough", nearly("a step of an operator: usher passthrough ROOM")),
    reject: remark("queueing_method reject", nearly("a step of an operator: usher end ROOM")),
  };
  return [
    {
      key: "inlet",
      lines: [
        { key: "type", value: type, ...(type === "manual" && { note: yours("the export has neither of its limits") }) },
        ...(maxActive === null ? [] : [{ key: "max_active", value: maxActive, note: exact("total_active_users") }]),
        ...(outflow === null
          ? []
          : [
              {
                key: "outflow_per_minute",
                value: outflow,
                note: exact("new_users_per_minute; here in any 60 seconds"),
              },
            ]),
      ],
    },
    ...limits.flatMap(([key, limit, usable]) =>
      limit === null || usable !== null ? [] : [leftOut(`${key} ${limit}`, "out of the bounds that there are here")],
    ),
    Object.hasOwn(how, method) ? (how[method] as Line) : leftOut(`queueing_method ${method}`, "Usher does not know it"),
  ];
}

function isWithin(value: number | null, max: number): value is number {
  return value !== null && value >= 1 && value <= max;
}

function admissionLines(reader: MemberReader): Line[] {
  const minutes = reader.whole("session_duration");
  const isFixed = reader.flag("disable_session_renewal") === true;
  const sliding: KeyLine = {
    key: "max_duration",
    value: "30d",
    note: nearly("each request renews it there; here at half of a token's validity, for 30 days at most"),
  };
  const duration = durationLine("duration", { name: "session_duration", value: minutes, unitMs: 60_000, usual: 5 }, [
    60_000,
    7 * dayMs,
  ]);
  return isFixed ? [duration, remark("disable_session_renewal", exact())] : [duration, sliding];
}

/** A room has one schedule: that of the next event. What an event sets besides holds for its room alone, or is left out. */
function eventLines(events: readonly Members[], nowMs: number): Line[] {
  const lines: Line[] = [];
  const usable = events.flatMap((members) => {
    const name = `event ${titleOf(nameOf(members)) ?? ""}`;
    const [prequeue, start, end] = ["prequeue_start_time", "event_start_time", "event_end_time"].map((key) =>
      timeOf(members[key]),
    );
    if (start == null) lines.push(leftOut(name, "it has no event_start_time that can be read"));
    else if (end != null && end <= nowMs) lines.push(notNeeded(name, "it is past"));
    else if (members.suspended === true) lines.push(leftOut(name, "it is suspended"));
    else return [{ members, name, prequeue: prequeue ?? null, start, end: end ?? null }];
    return [];
  });
  const [next, ...later] = usable.toSorted((a, b) => a.start - b.start);
  if (next === undefined) return lines;
  const { members, name, prequeue, start, end } = next;
  const reader = readMembers(members);
  const handled = [
    "id",
    "name",
    "description",
    "created_on",
    "modified_on",
    "suspended",
    "zone_id",
    "waiting_room_id",
    "prequeue_start_time",
    "event_start_time",
    "event_end_time",
  ];
  for (const key of handled) reader.take(key);
  const isShuffled = reader.flag("shuffle_at_event_start") === true;
  const isPrequeue = prequeue !== null && prequeue < start;
  const wrong = [
    ...(isPrequeue || isNothing(members.prequeue_start_time)
      ? []
      : [leftOut("prequeue_start_time", "no time before event_start_time that can be read")]),
    ...(end !== null || isNothing(members.event_end_time)
      ? []
      : [leftOut("event_end_time", "no time that can be read")]),
  ];
  return [
    {
      key: "schedule",
      note: nearly(name),
      lines: [
        ...(isPrequeue
          ? [{ key: "prequeue_at", value: formatTime(prequeue), note: exact("prequeue_start_time") }]
          : []),
        {
          key: "opens_at",
          value: formatTime(start),
          note: nearly("event_start_time; before it there is no line here, and when_idle says what visitors meet"),
        },
        ...(end === null
          ? []
          : [leftOut("event_end_time", "the room goes on with its own limits there; ends_at would end it here")]),
      ],
    },
    {
      key: "when_idle",
      value: "pass_through",
      note: nearly(
        "before the event the room's own limits hold there; here everybody passes: set schedule shortly before it",
      ),
    },
    isShuffled
      ? { key: "draw", value: { order: "random" }, note: exact("shuffle_at_event_start") }
      : { key: "draw", value: { order: "arrival" }, note: exact("shuffle_at_event_start false") },
    ...wrong,
    ...overridesOf(reader),
    ...lines,
    ...later.map((each) => leftOut(each.name, "a room has one schedule: set this one after the other")),
  ];
}

function overridesOf(reader: MemberReader): Line[] {
  const overrides = [
    "new_users_per_minute",
    "total_active_users",
    "session_duration",
    "disable_session_renewal",
    "queueing_method",
    "custom_page_html",
    "turnstile_mode",
    "turnstile_action",
  ];
  const set = overrides.filter((key) => !isNothing(reader.take(key)));
  return [
    ...set.map((key) =>
      leftOut(`the event's ${key}`, "settings are the room's: change them for the sale (usher rate, PATCH)"),
    ),
    ...reader.unread(),
  ];
}

function timeOf(value: unknown): number | null {
  const reading = readTime(value, null);
  return "ms" in reading ? reading.ms : null;
}

function pageLines(reader: MemberReader, languages: readonly string[]): Line[] {
  const status = reader.whole("queueing_status_code");
  const isStatus = status === 200 || status === 202 || status === 429;
  const tag = titleOf(reader.text("default_template_language"));
  const language = tag === null ? null : languageOf(tag, languages);
  reader.take("json_response_enabled");
  const html = reader.take("custom_page_html");
  const [turnstile, action] = [titleOf(reader.text("turnstile_mode")), titleOf(reader.text("turnstile_action"))];
  const [suffix, cookie, commands] = ["cookie_suffix", "cookie_attributes", "enabled_origin_commands"].map(reader.take);
  return [
    ...(isStatus ? [{ key: "waiting_status", value: status, note: exact("queueing_status_code") }] : []),
    ...(status !== null && !isStatus ? [leftOut(`queueing_status_code ${status}`, "here 200, 202 or 429")] : []),
    ...(tag !== null && language !== null
      ? [
          {
            key: "language",
            value: language,
            note: language === tag ? exact("default_template_language") : nearly(`default_template_language ${tag}`),
          },
        ]
      : []),
    ...(tag !== null && language === null
      ? [leftOut(`default_template_language ${tag}`, "the pages have no such language (docs/languages.md)")]
      : []),
    ...(isNothing(html)
      ? []
      : [leftOut("custom_page_html", "templates are others here: theme, or theme.views (docs/themes.md)")]),
    ...(turnstile === null || turnstile === "off"
      ? []
      : [
          leftOut(
            `turnstile_mode ${turnstile}`,
            "set challenges, with your own keys, and the room's check (docs/checks.md)",
          ),
        ]),
    ...(action === "infinite_queue"
      ? [leftOut("turnstile_action infinite_queue", "a place that never comes is none: check refuses instead")]
      : []),
    ...(isNothing(suffix) ? [] : [notNeeded("cookie_suffix", "each room has cookies of its own name")]),
    ...(isNothing(cookie) ? [] : [notNeeded("cookie_attributes", "cookies are Secure, HttpOnly and SameSite=Lax")]),
    ...(isNothing(commands)
      ? []
      : [
          leftOut(
            "enabled_origin_commands",
            "the site ends an admission by the admin API (PATCH …/admissions/SUB) or by logout",
          ),
        ]),
  ];
}

const chinese: Readonly<Record<string, string>> = { "zh-CN": "zh-Hans", "zh-TW": "zh-Hant" };

function languageOf(tag: string, languages: readonly string[]): string | null {
  const wanted = [tag, ...(Object.hasOwn(chinese, tag) ? [chinese[tag] ?? ""] : []), tag.split("-")[0] ?? ""];
  return wanted.find((each) => languages.includes(each)) ?? null;
}

/** What is no setting here, but what an operator does. */
function stateRemarks(reader: MemberReader): Line[] {
  const steps: readonly (readonly [string, string])[] = [
    ["queue_all", "a step of an operator: usher pause ROOM"],
    ["suspended", "a step of an operator: usher passthrough ROOM"],
  ];
  return steps.flatMap(([key, step]) => (reader.flag(key) === true ? [remark(key, nearly(step))] : []));
}

function ruleLines({ rules, passesCrawlers }: CloudflareRoom, routes: readonly Route[], isPartial: boolean): Line[] {
  const list = createRuleList();
  if (passesCrawlers)
    list.add(
      "crawlers",
      { when: "verified_crawler", action: "bypass" },
      nearly("search_engine_crawler_bypass; here crawlers whom the DNS confirms"),
    );
  for (const members of rules) {
    const { action, expression, enabled, status } = members;
    const about = titleOf(textOf(members.description)) ?? titleOf(textOf(expression))?.slice(0, 60) ?? "rule";
    if (enabled === false || status === "disabled") {
      list.skip(`rule ${about}`, "it is disabled");
    } else if (action !== "bypass_waiting_room")
      list.refuse(about, `action ${String(titleOf(textOf(action)))} has no equal`, false);
    else if (typeof expression !== "string") list.refuse(about, "it has no expression", false);
    else list.add(about, { when: expression, action: "bypass" }, exact(`rule ${about}`));
  }
  for (const { host, path } of routes) {
    const ofPath = path === "" ? "" : ` and starts_with(http.request.uri.path, ${JSON.stringify(path)})`;
    list.add(
      `${host}${path}`,
      { when: `http.host eq ${JSON.stringify(host)}${ofPath}`, action: "queue" },
      exact("host and path"),
    );
  }
  // A route that nobody can name here must not pass.
  if (isPartial) list.refuse("the end of the rules", "a route was left out, so what no rule matches queues", true);
  return list.lines();
}
