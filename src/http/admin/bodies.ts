/** What the admin API takes. The kinds of values are those of the configuration file, and so are their messages. */
import { z } from "zod";
import {
  flag,
  formatPath,
  LATENCY_MAX_MS,
  list,
  mapping,
  number,
  oneOf,
  type Path,
  text,
  wholeNumber,
} from "../../config/index.ts";
import type { UsherError } from "../../lib/errors.ts";
import { badDocument } from "../../registry/index.ts";

const stepMax = 1_000_000_000;
const exitedMax = 1_000_000;
/** Visitors whom one report may name for each way of leaving. */
const reportedMax = 1_000;

/** A JSON object with exactly these members. @param whyNot see `mapping` */
export function object<Shape extends z.ZodRawShape>(shape: Shape, whyNot?: (key: string) => string | null) {
  return mapping(shape, "an object", whyNot);
}

const noMember = z.custom<unknown>(() => false, { error: "unknown key: this request takes no body" });
export const emptyBody = object({}).catchall(noMember);

export const incrementBody = object({
  increment_by: wholeNumber(-stepMax, stepMax).refine((by) => by !== 0, { error: "expected another number than 0" }),
});

export const alarmBody = object({ set: flag() });

/** Ways an admission ends by an operator's word. */
export const ends = ["completed", "abandoned", "revoked"] as const;
export type End = (typeof ends)[number];

export const admissionBody = object({ status: oneOf("status", ends) });

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

export type Report = z.infer<typeof reportBody>;

const loadMembers = ["latency_ms", "error_rate", "signal"] as const;

export const loadBody = object({
  latency_ms: number(0, LATENCY_MAX_MS).optional(),
  error_rate: number(0, 1).optional(),
  signal: oneOf("signal", ["on", "off"]).optional(),
}).superRefine((load, context) => {
  if (loadMembers.some((member) => load[member] !== undefined)) return;
  context.addIssue({ code: "custom", message: `expected at least one of ${loadMembers.join(", ")}` });
});

/** @throws UsherError `bad_request` that names every faulty member */
export function validate<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  throw badRequest(result.error.issues.map(({ path, message }) => ({ path: path as Path, message })));
}

export function badRequest(faults: readonly { readonly path: Path; readonly message: string }[]): UsherError {
  return badDocument(faults.map(({ path, message }) => `${path.length === 0 ? "body" : formatPath(path)}: ${message}`));
}
