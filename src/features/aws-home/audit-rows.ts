/** Private calls that change something have rows in the audit, as requests to the admin API have. */
import type { Context } from "koa";
import { type ErrorCode, UsherError } from "../../lib/errors.ts";
import { type AuditedRoute, audited } from "../../operate/admin-api/audit/write-rows.ts";
import type { AuditLog } from "../../operate/audit/index.ts";
import { showsCredentials } from "./caller.ts";
import { type Answer, GatewayError } from "./wire.ts";

/** What a row calls a refusal, by the status that the interface has for it. */
const codes: Readonly<Record<number, ErrorCode>> = {
  400: "bad_request",
  403: "forbidden",
  404: "not_found",
  410: "place_expired",
  413: "body_too_large",
  429: "too_many_requests",
  503: "store_unavailable",
};

/** What the caller is answered instead, as the audit reads it. */
class NotDone extends UsherError {
  readonly instead: Answer | GatewayError;

  constructor(instead: Answer | GatewayError) {
    super(codes[instead.status] ?? "bad_request", "", { status: instead.status });
    this.instead = instead;
  }
}

export type WithRow = ReturnType<typeof createWithRow>;

/** @param audit of the installation */
export function createWithRow(audit: Pick<AuditLog, "record">) {
  return async (
    ctx: Context,
    route: Pick<AuditedRoute, "method" | "path" | "role">,
    carryOut: Parameters<typeof audited<Answer>>[3],
  ): Promise<Answer> => {
    try {
      return await audited(audit, ctx, { ...route, showsKey: showsCredentials }, async (notes, identify) => {
        const answer = await carryOut(notes, identify).catch((error: unknown) => {
          throw error instanceof GatewayError ? new NotDone(error) : error;
        });
        if (answer.status >= 400) throw new NotDone(answer);
        // It isn't served yet.
        if (answer.status !== 200) notes.isNothingNew = true;
        ctx.status = answer.status;
        return answer;
      });
    } catch (error) {
      if (!(error instanceof NotDone)) throw error;
      if (error.instead instanceof GatewayError) throw error.instead;
      return error.instead;
    }
  };
}
