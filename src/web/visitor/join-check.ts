/** What a room asks of a visitor before a join (`rooms[].check`): the step itself, and what programs and our own page show for it. */
import type { Context } from "koa";
import { z } from "zod";
import { UsherError } from "../../lib/errors.ts";
import {
  type CheckNeeded,
  type Checks,
  type GateSteps,
  type JoinAttempt,
  type Presented,
  proofLengthMax,
  type Refusal,
  responseLengthMax,
  type VisitorCookies,
} from "../../oidc/index.ts";
import type { WaitingRoom } from "../../room/index.ts";
import { readJson, readSameOriginForm } from "../middleware/read-body.ts";
import type { RoomRoutes } from "./room-routes.ts";

interface JoinCheckParts {
  readonly checks: Checks;
  readonly cookies: Pick<VisitorCookies, "check">;
  /** See `createJoinAddress`. */
  readonly joinAddressOf: (ctx: Context) => string | null;
}

/** The step before a join that may demand a check (proof of work or a challenge). Not while the room has no line. */
export function createJoinCheck({ checks, cookies, joinAddressOf }: JoinCheckParts): GateSteps["beforeJoin"][number] {
  return (join) => {
    const { room, rule } = join;
    if (join.isExempt || rule?.action === "pass" || room.entrance !== "line") return null;
    const isForced = rule?.action === "challenge";
    return room.settings.check == null && !isForced ? null : enter(join, isForced);
  };

  /** @param isForced whether this visitor needs a check even if the room's settings demand none */
  async function enter(join: JoinAttempt, isForced: boolean): Promise<Refusal | null> {
    const { ctx, room, readPresented } = join;
    const cookie = cookies.check(room.id);
    const pass = cookie.read(ctx.req);
    // A program shows what it did in its request; its cookies are of no account there.
    const presented = readPresented ?? (() => ({ pass, session: pass }));
    const entered = await checks.enter(room, joinAddressOf(ctx), presented, isForced);
    if (entered.result === "unjudged") throw unjudged();
    if (entered.result === "check") return checkFirst(ctx, room, entered);
    join.onSettled.push((hasJoined) => {
      entered.settle(hasJoined);
      if (hasJoined && pass !== undefined) cookie.clear(ctx.res);
    });
    return null;
  }

  function checkFirst(ctx: Context, room: WaitingRoom, check: CheckNeeded): Refusal {
    return {
      page() {
        cookies.check(room.id).set(ctx.res, check.session);
        return { status: 403, code: "check_required", check, stampsArrival: true };
      },
      error: () => checkRequired(check),
    };
  }
}

/** What a visitor did cannot be judged now. */
export function unjudged(): UsherError {
  return new UsherError("provider_unavailable", "the check cannot be judged just now; try again in a moment", {
    retryAfterSec: 5,
  });
}

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
export async function readPresented(ctx: Context): Promise<Presented> {
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

export function addCheckRoute({ page }: RoomRoutes, parts: Parameters<typeof createCheckAnswers>[0]): void {
  page(
    "POST",
    "/check",
    () => ({
      summary: "Takes what a page did for a check before a join, and keeps the pass for it in a cookie.",
      form: z.object({ proof: z.string().optional(), challenge_response: z.string().optional() }),
      answers: [{ status: 204, description: "Done: ask for the page anew." }],
      errors: ["check_required", "provider_unavailable"],
    }),
    createCheckAnswers(parts),
  );
}

/**
 * `POST …/check`, by the script of our own page: takes what was done, and keeps the pass for it in a cookie. The page then loads
 * itself anew, so that whatever the visitor came for is as it was.
 */
export function createCheckAnswers({
  issuer,
  checks,
  cookies,
  joinAddressOf,
}: JoinCheckParts & { readonly issuer: string }) {
  return async (ctx: Context, room: WaitingRoom): Promise<void> => {
    const form = await readSameOriginForm(ctx, issuer);
    const cookie = cookies.check(room.id);
    const session = cookie.read(ctx.req);
    const [proof, response] = [form.get("proof") ?? undefined, form.get("challenge_response") ?? undefined];
    const pass = await checks.prove(room, joinAddressOf(ctx), { proof, response, session });
    if (typeof pass === "object" && pass.result === "unjudged") throw unjudged();
    if (typeof pass !== "string") {
      // A pass that another tab has just got is kept.
      if (session === undefined) cookie.set(ctx.res, pass.session);
      throw checkRequired(pass, "this does not count here, or not any more");
    }
    cookie.set(ctx.res, pass);
    ctx.status = 204;
  };
}
