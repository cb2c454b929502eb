import type { Context } from "koa";
import { type CheckNeeded, proofLengthMax, responseLengthMax, type Shown } from "../../check/index.ts";
import { UsherError } from "../../lib/errors.ts";
import { readJson } from "../middleware/read-body.ts";

/** Bytes of the body with which a program joins. */
const bodyMax = proofLengthMax + responseLengthMax;

/** What a program has to do before it joins. */
export function checkJson({ task, session }: CheckNeeded) {
  if (task.type === "proof_of_work") return { ...task, session };
  const { provider, siteKey } = task.widget;
  return { type: task.type, provider, site_key: siteKey };
}

/** @throws UsherError, that answers a program which has to do something first */
export function checkRequired(check: CheckNeeded, message = "do the check first, and show its proof"): UsherError {
  return new UsherError("check_required", message, { members: { check: checkJson(check) } });
}

/** What a program shows with its join: `{ "proof": …, "session": … }`, `{ "challenge_response": … }`, or nothing. @throws UsherError */
export async function readShown(ctx: Context): Promise<Shown> {
  const body = await readJson(ctx, bodyMax);
  const members = typeof body === "object" && body !== null ? (body as Readonly<Record<string, unknown>>) : {};
  const text = (name: string, what: string) => {
    const value = members[name];
    if (value === undefined || typeof value === "string") return value;
    throw new UsherError("bad_request", `${name}: expected text, ${what}`);
  };
  return {
    proof: text("proof", "the payload in base64"),
    session: text("session", "as `check` has it"),
    response: text("challenge_response", "as the provider's widget gives it"),
  };
}
