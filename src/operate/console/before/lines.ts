/** What is left before a sale, as far as it can be known: one line for each thing, with where it is mended. */
import type { AdminAnswers } from "../../client/index.ts";
import type { Localized, Values } from "../frame/speech.ts";
import { texts as roomTexts } from "../room/texts.ts";
import { texts as timelineTexts } from "../room/timeline/texts.ts";
import { texts as roomsTexts } from "../rooms/texts.ts";
import { texts } from "./texts.ts";

/** `look`: nobody but the operator can say whether it is meant so. */
export type State = "done" | "left" | "look" | "unknown";

export interface Line {
  readonly name: string;
  readonly state: State;
  readonly text: Localized;
  /** Times end in `_at`. */
  readonly values: Values;
  /** Phases and buttons, in the words that the console has for them. */
  readonly named: Readonly<Record<string, Localized>>;
  /** What somebody wrote, or the gateway found. */
  readonly quotes: readonly string[];
  /** The screen of the room, or of the installation, where it is mended; null where no screen does. */
  readonly at: { readonly room: boolean; readonly name: string } | null;
  /** When that was so, by the gateway's clock. */
  readonly atMs: number | null;
}

/** An answer and its age; null where it is not known (yet), or not told to this role. */
export type Answered<Answer> = { readonly answer: Answer; readonly atMs: number } | null;

export interface Facts {
  readonly room: Answered<AdminAnswers["Room"]>;
  readonly keys: Answered<readonly AdminAnswers["ApiKey"][]>;
  readonly nowMs: number;
}

const today = { room: true, name: "" } as const;
const settings = { room: true, name: "settings" } as const;
const quotedMax = 5;

/** @param added by features */
export function linesOf(facts: Facts, added: readonly Line[] = []): readonly Line[] {
  return [...(facts.room === null ? [] : ofRoom(facts.room, facts.nowMs)), ...added, ...ofPeople(facts)];
}

function ofRoom({ answer: room, atMs }: NonNullable<Facts["room"]>, nowMs: number): Line[] {
  const line = (name: string, state: State, text: Localized, more: Partial<Line> = {}): Line => ({
    name,
    state,
    text,
    values: {},
    named: {},
    quotes: [],
    at: null,
    atMs,
    ...more,
  });
  const { opens_at: opensAt, prequeue_at: doorsAt } = room;
  const isAhead = opensAt !== null && Date.parse(opensAt) > nowMs;
  const areDoorsOpen = room.base_phase === "prequeue" && isAhead;
  const phase = roomsTexts.phases[room.base_phase];
  const live = leavesOf(room.settings_live);
  const limit = room.outflow_limit;
  const { draw, message, rehearsal } = room.settings;
  const isDrawn = draw?.order === "random";
  return [
    !isAhead
      ? line("schedule", "left", opensAt === null ? texts.lines.scheduleNone : texts.lines.schedulePast, {
          at: settings,
        })
      : doorsAt === null
        ? line("schedule", "done", texts.lines.scheduleDone, { values: { opens_at: opensAt } })
        : line("schedule", "done", texts.lines.scheduleDoors, { values: { opens_at: opensAt, prequeue_at: doorsAt } }),
    room.base_phase === "idle" || areDoorsOpen
      ? line("phase", "done", texts.lines.phaseDone, { named: { phase } })
      : line("phase", "left", texts.lines.phaseLeft, {
          named: { phase, idle: roomsTexts.phases.idle, step: roomTexts.steps.idle },
          at: today,
        }),
    ...room.holds.map((hold) => {
      const why = hold === "signal" ? timelineTexts.signal : roomsTexts.reasons[hold];
      return line(`hold-${hold}`, "left", texts.lines.holds, { named: { why }, at: today });
    }),
    room.waiting === 0
      ? line("people", "done", texts.lines.peopleDone)
      : areDoorsOpen
        ? line("people", "done", texts.lines.peopleCame, { values: { n: room.waiting } })
        : line("people", "left", texts.lines.peopleLeft, {
            values: { n: room.waiting },
            named: { reset: roomTexts.steps.reset },
            at: today,
          }),
    // A reset ends no admission.
    ...(room.live_admissions > 0
      ? [line("inside", "look", texts.lines.insideLook, { values: { n: room.live_admissions }, at: today })]
      : []),
    rehearsal === true
      ? line("mark", "left", texts.lines.markLeft, { at: settings })
      : line("mark", "done", texts.lines.markDone),
    limit === null && room.adaptive === null
      ? line("limit", "look", texts.lines.limitNone, { at: settings })
      : line("limit", "done", texts.lines.limitDone, { values: { n: limit ?? room.adaptive?.rate_per_minute ?? 0 } }),
    live.length === 0
      ? line("live", "done", texts.lines.liveDone)
      : line("live", "look", texts.lines.liveLook, {
          values: { n: live.length },
          quotes: live.slice(0, quotedMax),
          at: settings,
        }),
    message === null || message === undefined
      ? line("message", "done", texts.lines.messageDone)
      : line("message", "look", texts.lines.messageLook, { at: today }),
    ...(isDrawn
      ? [
          room.draw !== null && room.draw.commitment !== "" && room.draw.stage !== "cancelled"
            ? line("draw", "done", texts.lines.drawDone, {
                values: { issuer: room.issuer ?? "", room: room.room },
                quotes: [room.draw.commitment],
              })
            : line("draw", isAhead ? "left" : "look", texts.lines.drawUncommitted, { at: settings }),
        ]
      : []),
    ...room.warnings.map((warning, index) =>
      line(`warning-${index}`, "left", texts.lines.warning, { quotes: [warning] }),
    ),
  ];
}

/** Who may let staff in, and who watches. */
function ofPeople({ keys, room }: Facts): Line[] {
  const id = room?.answer.room ?? "";
  const line = (name: string, state: State, text: Localized, source: Answered<unknown>, screen: string): Line => ({
    name,
    state,
    text,
    values: {},
    named: {},
    quotes: [],
    at: { room: false, name: screen },
    atMs: source?.atMs ?? null,
  });
  const isFor = (rooms: readonly string[] | null) => rooms === null || rooms.includes(id);
  const mayLetIn = keys?.answer.some(
    ({ status, role, rooms }) => status === "active" && role === "box_office" && isFor(rooms),
  );
  return [
    keys === null
      ? line("desk", "unknown", texts.lines.deskUnknown, keys, "keys")
      : mayLetIn
        ? line("desk", "done", texts.lines.deskDone, keys, "keys")
        : line("desk", "look", texts.lines.deskLook, keys, "keys"),
    { ...line("monitoring", "unknown", texts.lines.monitoring, null, ""), at: null },
  ];
}

/** `inlet.outflow_per_minute` for each value that was changed at run time. */
export function leavesOf(change: object, prefix = ""): string[] {
  return Object.entries(change).flatMap(([name, value]: [string, unknown]) => {
    const isGroup = typeof value === "object" && value !== null && !Array.isArray(value);
    return isGroup && name !== "message" ? leavesOf(value, `${prefix}${name}.`) : [`${prefix}${name}`];
  });
}
