/** What is left before a sale, as far as it can be known: one line for each thing, with where it is mended. */
import type { AdminAnswers } from "../../client/index.ts";
import type { TextKey, Values } from "../texts/texts.ts";

/** `look`: nobody but the operator can say whether it is meant so. */
export type State = "done" | "left" | "look" | "unknown";

export interface Line {
  readonly name: string;
  readonly state: State;
  readonly text: TextKey;
  /** Times end in `_at`. */
  readonly values: Values;
  /** Phases and buttons, in the words that the console has for them. */
  readonly named: Readonly<Record<string, TextKey>>;
  /** What somebody wrote, or the gateway found. */
  readonly said: readonly string[];
  /** The screen of the room, or of the installation, where it is mended; null where no screen does. */
  readonly at: { readonly room: boolean; readonly name: string } | null;
  /** When that was so, by this computer's clock. */
  readonly atMs: number | null;
}

/** An answer and its age; null where it is not known (yet), or not told to this role. */
export type Told<Answer> = { readonly answer: Answer; readonly atMs: number } | null;

export interface Facts {
  readonly room: Told<AdminAnswers["Room"]>;
  readonly checks: Told<AdminAnswers["Checks"]>;
  readonly rehearsal: Told<AdminAnswers["RehearsalResult"]>;
  readonly webhooks: Told<readonly AdminAnswers["Webhook"][]>;
  readonly keys: Told<readonly AdminAnswers["ApiKey"][]>;
  readonly nowMs: number;
}

const today = { room: true, name: "" } as const;
const settings = { room: true, name: "settings" } as const;
const shownMax = 5;

export function linesOf(facts: Facts): readonly Line[] {
  return [
    ...(facts.room === null ? [] : ofRoom(facts.room, facts.nowMs)),
    ...ofChecks(facts),
    ofRehearsal(facts),
    ...ofPeople(facts),
  ];
}

function ofRoom({ answer: room, atMs }: NonNullable<Facts["room"]>, nowMs: number): Line[] {
  const line = (name: string, state: State, text: TextKey, more: Partial<Line> = {}): Line => ({
    ...{ name, state, text, values: {}, named: {}, said: [], at: null, atMs },
    ...more,
  });
  const { opens_at: opensAt, prequeue_at: doorsAt } = room;
  const isAhead = opensAt !== null && Date.parse(opensAt) > nowMs;
  const areDoorsOpen = room.base_phase === "prequeue" && isAhead;
  const phase = `phase.${room.base_phase}` as const;
  const live = leavesOf(room.settings_live);
  const limit = room.outflow_limit;
  const { draw, message, rehearsal } = room.settings;
  const isDrawn = draw?.order === "random";
  return [
    !isAhead
      ? line("schedule", "left", opensAt === null ? "before.schedule.none" : "before.schedule.past", { at: settings })
      : doorsAt === null
        ? line("schedule", "done", "before.schedule.done", { values: { opens_at: opensAt } })
        : line("schedule", "done", "before.schedule.doors", { values: { opens_at: opensAt, prequeue_at: doorsAt } }),
    room.base_phase === "idle" || areDoorsOpen
      ? line("phase", "done", "before.phase.done", { named: { phase } })
      : line("phase", "left", "before.phase.left", {
          named: { phase, idle: "phase.idle", step: "step.idle" },
          at: today,
        }),
    ...room.holds.map((hold) => {
      const why = hold === "signal" ? "event.reason.signal" : (`reason.${hold}` as const);
      return line(`hold-${hold}`, "left", "before.holds", { named: { why }, at: today });
    }),
    room.waiting === 0
      ? line("people", "done", "before.people.done")
      : areDoorsOpen
        ? line("people", "done", "before.people.came", { values: { n: room.waiting } })
        : line("people", "left", "before.people.left", {
            values: { n: room.waiting },
            named: { reset: "step.reset" },
            at: today,
          }),
    // A reset ends no admission.
    ...(room.live_admissions > 0
      ? [line("inside", "look", "before.inside.look", { values: { n: room.live_admissions }, at: today })]
      : []),
    rehearsal === true
      ? line("mark", "left", "before.mark.left", { at: settings })
      : line("mark", "done", "before.mark.done"),
    limit === null && room.adaptive === null
      ? line("limit", "look", "before.limit.none", { at: settings })
      : line("limit", "done", "before.limit.done", { values: { n: limit ?? room.adaptive?.rate_per_minute ?? 0 } }),
    live.length === 0
      ? line("live", "done", "before.live.done")
      : line("live", "look", "before.live.look", {
          values: { n: live.length },
          said: live.slice(0, shownMax),
          at: settings,
        }),
    message === null || message === undefined
      ? line("message", "done", "before.message.done")
      : line("message", "look", "before.message.look", { at: today }),
    ...(isDrawn
      ? [
          room.draw !== null && room.draw.commitment !== "" && room.draw.stage !== "cancelled"
            ? line("draw", "done", "before.draw.done", {
                values: { issuer: room.issuer ?? "", room: room.room },
                said: [room.draw.commitment],
              })
            : line("draw", isAhead ? "left" : "look", "before.draw", { at: settings }),
        ]
      : []),
    ...room.warnings.map((said, index) => line(`warning-${index}`, "left", "before.warning", { said: [said] })),
  ];
}

function ofChecks({ checks }: Facts): Line[] {
  const last = checks?.answer.last ?? null;
  const line = (name: string, state: State, text: TextKey, said: readonly string[] = []): Line => ({
    ...{ name, state, text, values: {}, named: {}, said, at: null },
    atMs: last === null ? null : Date.parse(last.ended_at),
  });
  if (last === null) return [line("outside", "left", "before.checks.never")];
  const of = (about: readonly string[], isOf: boolean) =>
    last.findings.filter((each) => about.includes(each.about) === isOf);
  const logins = of(["whole login", "logout"], true);
  const others = of(["whole login", "logout", "proxies"], false);
  const proxies = of(["proxies"], true);
  return [
    judged(others, "outside", "before.outside.done", "before.outside.left"),
    ...(proxies.length === 0 ? [] : [judged(proxies, "proxies", "before.proxies.done", "before.proxies.left")]),
    logins.length === 0
      ? line("login", "left", "before.login.untried")
      : judged(logins, "login", "before.login.done", "before.login.left"),
  ];

  function judged(findings: typeof logins, name: string, good: TextKey, bad: TextKey): Line {
    const wrong = findings.filter(({ status }) => status !== "ok");
    if (wrong.length === 0) return line(name, "done", good);
    const isFault = wrong.some(({ status }) => status === "fault");
    return line(
      name,
      isFault ? "left" : "look",
      bad,
      wrong.map(({ text }) => text),
    );
  }
}

function ofRehearsal({ rehearsal }: Facts): Line {
  const last = rehearsal?.answer.last ?? null;
  const line = (state: State, text: TextKey, said: readonly string[] = []): Line => ({
    ...{ name: "rehearsal", state, text, values: { n: last?.visitors ?? 0 }, named: {}, said, at: null },
    atMs: last === null ? null : Date.parse(last.at),
  });
  if (last === null) return line("left", "before.rehearsal.never");
  if (last.stopped) return line("left", "before.rehearsal.stopped");
  if (last.mend.length > 0)
    return line(
      "left",
      "before.rehearsal.mend",
      last.mend.map(({ text }) => text),
    );
  if (last.changed_since.length > 0) return line("look", "before.rehearsal.changed", last.changed_since);
  return line("done", "before.rehearsal.done");
}

/** Who hears of trouble, and who may let staff in. */
function ofPeople({ webhooks, keys, room }: Facts): Line[] {
  const id = room?.answer.room ?? "";
  const line = (name: string, state: State, text: TextKey, told: Told<unknown>, screen: string): Line => ({
    ...{ name, state, text, values: {}, named: {}, said: [], at: { room: false, name: screen } },
    atMs: told?.atMs ?? null,
  });
  const isFor = (rooms: readonly string[] | null) => rooms === null || rooms.includes(id);
  const hears = webhooks?.answer.some(({ enabled, rooms }) => enabled && isFor(rooms));
  const mayLetIn = keys?.answer.some(
    ({ status, role, rooms }) => status === "active" && role === "box_office" && isFor(rooms),
  );
  return [
    webhooks === null
      ? line("alerts", "unknown", "before.alerts.unknown", webhooks, "webhooks")
      : hears
        ? line("alerts", "look", "before.alerts.look", webhooks, "webhooks")
        : line("alerts", "left", "before.alerts.left", webhooks, "webhooks"),
    keys === null
      ? line("desk", "unknown", "before.desk.unknown", keys, "keys")
      : mayLetIn
        ? line("desk", "done", "before.desk.done", keys, "keys")
        : line("desk", "look", "before.desk.look", keys, "keys"),
    { ...line("monitoring", "unknown", "before.monitoring", null, ""), at: null },
  ];
}

/** `inlet.outflow_per_minute` for each value that was changed at run time. */
export function leavesOf(change: object, prefix = ""): string[] {
  return Object.entries(change).flatMap(([name, value]: [string, unknown]) => {
    const isGroup = typeof value === "object" && value !== null && !Array.isArray(value);
    return isGroup && name !== "message" ? leavesOf(value, `${prefix}${name}.`) : [`${prefix}${name}`];
  });
}
