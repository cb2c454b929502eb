import { z } from "zod";
import { parseDuration } from "../../config/index.ts";
import { UsherError } from "../../lib/errors.ts";

const maxStep = 1_000_000_000;
const dayMs = 86_400_000;

const duration = (minMs: number, maxMs: number) =>
  z.string("must be a duration such as 20m").transform((text, context) => {
    const ms = parseDuration(text);
    if (ms !== null && ms >= minMs && ms <= maxMs) return ms;
    context.addIssue({ code: "custom", message: "must be a duration such as 20m, within the allowed range" });
    return z.NEVER;
  });

export const incrementBody = z.strictObject({
  increment_by: z
    .int("must be a whole number")
    .min(-maxStep)
    .max(maxStep)
    .refine((n) => n !== 0, "must not be 0"),
});

/** A merge patch (RFC 7396): null gives a value back to the configuration file. */
export const settingsBody = z.strictObject({
  title: z.string().min(1).max(200).nullable().optional(),
  inlet: z
    .strictObject({
      type: z.enum(["manual", "periodic"]).nullable().optional(),
      outflow_per_minute: z.int().min(1).max(1_000_000).nullable().optional(),
    })
    .nullable()
    .optional(),
  admission: z
    .strictObject({
      duration: duration(1_000, 30 * dayMs)
        .nullable()
        .optional(),
      claim_within: duration(1_000, 7 * dayMs)
        .nullable()
        .optional(),
      logins_per_admission: z.int().min(1).max(1_000).nullable().optional(),
    })
    .nullable()
    .optional(),
});

export type SettingsBody = z.infer<typeof settingsBody>;

export const admissionBody = z.strictObject({ status: z.enum(["completed", "abandoned"]) });

export const emptyBody = z.strictObject({});

/** @throws UsherError `bad_request` that names the fields */
export function validate<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const faults = result.error.issues.map((issue) => `${issue.path.join(".") || "body"}: ${issue.message}`);
  throw new UsherError("bad_request", faults.join("; "), { status: 400 });
}
