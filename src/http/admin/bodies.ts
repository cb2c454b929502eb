import { z } from "zod";
import { roomFields } from "../../config/index.ts";
import { UsherError } from "../../lib/errors.ts";

const maxStep = 1_000_000_000;

export const incrementBody = z.strictObject({
  increment_by: z
    .int("must be a whole number")
    .min(-maxStep)
    .max(maxStep)
    .refine((n) => n !== 0, "must not be 0"),
});

/** A merge patch (RFC 7396): null gives a value back to the configuration file. */
export const settingsBody = z.strictObject({
  title: roomFields.title.nullable().optional(),
  message: roomFields.message.nullable().optional(),
  inlet: z
    .strictObject({
      type: roomFields.inletType.nullable().optional(),
      outflow_per_minute: roomFields.outflowPerMinute.nullable().optional(),
    })
    .nullable()
    .optional(),
  admission: z
    .strictObject({
      duration: roomFields.duration.nullable().optional(),
      claim_within: roomFields.claimWithin.nullable().optional(),
      logins_per_admission: roomFields.loginsPerAdmission.nullable().optional(),
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
