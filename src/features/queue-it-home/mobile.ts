/** How an app with Queue-it's SDK begins: it asks, and shows the line in a web view, or is let in at once. */
import type { Context } from "koa";
import { z } from "zod";
import { UsherError } from "../../lib/errors.ts";
import { firstRefusal, type LoginAttempt } from "../../oidc/index.ts";
import { hashRequest, type WaitingRoom } from "../../room/index.ts";
import { readJson } from "../../web/middleware/read-body.ts";
import type { VisitorParts } from "../../web/visitor/parts.ts";
import type { HomeCounts } from "./metrics.ts";
import type { QueueItSettings } from "./settings.ts";
import { encodeToken, signingKeyOf, tokenOf } from "./token.ts";

/** Bytes: more than any SDK sends. */
const bodyLengthMax = 16_384;
/** Minutes for which the app may show the same address again; the place itself is kept by the web view. */
const urlTtlMin = 10;

const short = z.string().max(256).nullish();
/** What else SDKs send says nothing to Usher: a user id of the app's own grants nothing. */
export const enqueueBody = z.object({
  userId: short,
  userAgent: z.string().max(1_024).nullish(),
  sdkVersion: short,
  layoutName: short,
  language: short,
  enqueueToken: z.string().max(4_096).nullish(),
  enqueueKey: short,
});
/** An empty text stands for nothing. */
export const enqueueAnswer = z.object({
  QueueId: z.string(),
  QueueUrl: z.string(),
  QueueUrlTTLInMinutes: z.int(),
  EventTargetUrl: z.string(),
  QueueitToken: z.string(),
});

interface Parts {
  readonly home: QueueItSettings;
  /** Path of the home. */
  readonly base: string;
  readonly findRoom: (customer: unknown, event: unknown) => { readonly eventId: string; readonly room: WaitingRoom };
  readonly counts: HomeCounts;
}

export function createMobileEnqueue({ home, base, findRoom, counts }: Parts, parts: VisitorParts) {
  const { issuer, sitesOf, steps, joinAddressOf } = parts;

  return async (ctx: Context): Promise<void> => {
    const { eventId, room } = findRoom(ctx.params.customer, ctx.params.event);
    const { data: asked } = enqueueBody.safeParse(await readJson(ctx, bodyLengthMax));
    if (asked === undefined) throw new UsherError("bad_request", "the body is not what the SDK sends");
    const target = sitesOf(room.id).usualTarget;
    if (target === null)
      throw new UsherError("unknown_target", "the room has no target without *, at which the app is to end");
    const query = [
      ["c", home.customerId],
      ["e", eventId],
      ["t", target],
      ["cid", asked.language],
      ["l", asked.layoutName],
      ["enqueuetoken", asked.enqueueToken],
    ].flatMap(([name = "", value]) =>
      value == null || value === "" ? [] : [`${name}=${encodeURIComponent(wellFormed(value))}`],
    );
    const passed = await letIn(ctx, eventId, room);
    ctx.set("Cache-Control", "no-store");
    ctx.body = {
      QueueId: passed?.queueId ?? "",
      QueueUrl: passed === null ? `${issuer}${base}/?${query.join("&")}` : "",
      QueueUrlTTLInMinutes: urlTtlMin,
      EventTargetUrl: target,
      QueueitToken: passed?.token ?? "",
    } satisfies z.output<typeof enqueueAnswer>;
  };

  /** Where there is no line, and nobody has to show anything first, the app needs no page. Null: the page does it. */
  async function letIn(ctx: Context, eventId: string, room: WaitingRoom) {
    if (room.entrance !== "pass" || room.isByKey || room.deviceBinding !== "none") return null;
    const visitor = steps.identify(ctx, room);
    if ("page" in visitor) return null;
    // Each leaves an admission in the store. The page then says what is to be said.
    if (room.passers.take(joinAddressOf(ctx)) > 0) return null;
    const ticket = room.visitorWithoutPlace(visitor.name);
    const attempt: LoginAttempt = { ctx, room, by: "app", address: "", ticket, grant: {} };
    if ((await firstRefusal(steps.beforeLogin, attempt)) !== null) return null;
    const login = hashRequest(`queue_it app ${ticket.sub}`);
    const result = await room.claim(attempt.ticket, login, { address: joinAddressOf(ctx) });
    if (result.result !== "admitted") return null;
    const isSliding = room.settings.admission.maxDurationMs !== null;
    const token = tokenOf(result.admission, { eventId, nowMs: room.nowMs, isSliding, isAgain: false });
    counts.add(token.redirectType, room.id);
    return { queueId: token.queueId, token: encodeToken(token, signingKeyOf(home)) };
  }
}

/** With a replacement character for half of a pair of surrogates, which no address can have. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}
