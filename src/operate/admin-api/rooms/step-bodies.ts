/** What the steps of a room are sent, and what they answer. */
import { z } from "zod";
import { flag, LATENCY_MAX_MS, list, number, oneOf, text, wholeNumber } from "../../../config/index.ts";
import { object, timeText } from "../bodies.ts";
import { adaptiveAnswer, phase, phaseReason } from "./room-json.ts";

/** Bytes: three lists of a thousand visitors. */
export const reportLengthMax = 262_144;
/** Visitors whom one report may name for each way of leaving. */
const reportedMax = 1_000;
const stepMax = 1_000_000_000;
const exitedMax = 1_000_000;

/** Ways an admission ends by an operator's word. */
export const ends = ["completed", "abandoned", "revoked"] as const;
type End = (typeof ends)[number];

export const incrementBody = object({
  increment_by: wholeNumber(-stepMax, stepMax).refine((by) => by !== 0, { error: "expected another number than 0" }),
});
export const alarmBody = object({ set: flag() });

const loadMembers = ["latency_ms", "error_rate", "signal"] as const;
export const loadBody = object({
  latency_ms: number(0, LATENCY_MAX_MS).optional(),
  error_rate: number(0, 1).optional(),
  signal: oneOf("signal", ["on", "off"]).optional(),
}).superRefine((load, context) => {
  if (loadMembers.some((member) => load[member] !== undefined)) return;
  context.addIssue({ code: "custom", message: `expected at least one of ${loadMembers.join(", ")}` });
});

const subs = list(text("the sub of a visitor", 64), reportedMax).optional();
export const reportBody = object({
  exited: wholeNumber(1, exitedMax).optional(),
  completed: subs,
  abandoned: subs,
  revoked: subs,
}).superRefine((report, context) => {
  if (Object.values(report).every((member) => member === undefined)) {
    context.addIssue({ code: "custom", message: `expected at least one of exited, ${ends.join(", ")}` });
  }
  const seen = new Map<string, End>();
  for (const end of ends) {
    for (const [index, sub] of (report[end] ?? []).entries()) {
      const other = seen.get(sub) ?? end;
      if (other !== end) {
        context.addIssue({ code: "custom", path: [end, index], message: `the same visitor as in ${other}` });
      }
      seen.set(sub, other);
    }
  }
});

export const bypassBody = object({
  note: text("who or what the link is for", 200).optional(),
  target_link_uri: text("where the link leads", 2_048).optional(),
});

export const lineFigures = { serving: z.int(), queued: z.int(), waiting: z.int() };
export const stepAnswer = z
  .object({ ...lineFigures, edition: z.int(), phase, exited: z.int().optional() })
  .meta({ id: "Step" });
export const bypassAnswer = z
  .object({
    url: z.string(),
    expires_at: timeText,
    room: z.string(),
    link: z.string(),
    note: z.string().nullable(),
    target_link_uri: z.string().nullable(),
  })
  .meta({ id: "BypassLink" });
export const loadAnswer = z.object({
  phase: phase.nullable(),
  phase_reason: phaseReason,
  adaptive: adaptiveAnswer.nullable(),
});
export const reportAnswer = z.object({
  exited: z.int(),
  completed: z.int(),
  abandoned: z.int(),
  revoked: z.int(),
  unknown: z.array(z.string()),
  live_admissions: z.int().nullable(),
});
