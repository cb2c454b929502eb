import type { Context } from "koa";
import { type CheckNeeded, proofLengthMax, type Shown } from "../../check/index.ts";
import { UsherError } from "../../lib/errors.ts";
import { readJson } from "../middleware/read-body.ts";

/** Bytes of the body with which a program joins. */
const bodyMax = 2 * proofLengthMax;

/** What a program has to do before it joins. */
export function checkJson({ challenge }: CheckNeeded) {
  return { type: "proof_of_work" as const, challenge };
}

/** @throws UsherError, that answers a program which has to do something first */
export function checkRequired(check: CheckNeeded, message = "do the check first, and show its proof"): UsherError {
  return new UsherError("check_required", message, { members: { check: checkJson(check) } });
}

/** What a program shows with its join: `{ "proof": … }`, or nothing. @throws UsherError */
export async function readShown(ctx: Context): Promise<Shown> {
  const body = await readJson(ctx, bodyMax);
  const { proof } = typeof body === "object" && body !== null ? (body as { proof?: unknown }) : {};
  if (proof === undefined) return {};
  if (typeof proof !== "string") throw new UsherError("bad_request", "proof: expected text, the payload in base64");
  return { proof };
}
