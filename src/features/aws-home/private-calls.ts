/** The private calls of the interface: what inlets, the control panel and the site's programs do. */
import type { Context } from "koa";
import type { Role } from "../../config/index.ts";
import { takeStep } from "../../operate/admin-api/audit/carry-out.ts";
import type { RequestNotes } from "../../operate/admin-api/audit/request-notes.ts";
import type { WaitingRoom } from "../../room/index.ts";
import type { Admit } from "./admit.ts";
import { type Caller, requireRole } from "./caller.ts";
import type { ExpiredTokens } from "./expired-tokens.ts";
import { findHolder, findHolderNow, type Holder, type Home, type HomeEvent, readLogin } from "./home.ts";
import { type Body, type Query, textOf } from "./public-calls.ts";
import { isRequestIdShape } from "./request-id.ts";
import { type Answer, failed, GatewayError, gatewayErrors, ok } from "./wire.ts";

const invalidEvent = () => failed(400, "Invalid event ID");
const invalid = () => failed(400, "Invalid event or request ID");

/** The admin API's bound. */
const incrementMax = 1_000_000_000;
/** It ends with the admission, whatever is asked. */
const validityMaxSec = 1_000_000_000;
/** Status of a session, in words that Usher has for the same. */
const ends = new Map<unknown, "completed" | "abandoned">([
  [1, "completed"],
  [-1, "abandoned"],
]);

export interface PrivateCall {
  readonly method: "GET" | "POST";
  /** The least that it takes; in the room of the event. */
  readonly role: Role;
  readonly answer: (call: {
    readonly ctx: Context;
    readonly caller: Caller;
    /** Undefined for an event that there is not. */
    readonly event: HomeEvent | undefined;
    readonly body: Body;
    /** For its row in the audit, where it changes something. */
    readonly notes: RequestNotes;
  }) => Promise<Answer>;
}

export function createPrivateCalls({
  admit,
  expired,
  mayReset,
}: {
  readonly admit: Admit;
  readonly expired: ExpiredTokens;
  /** Where a reset takes two people, no key of this interface is both. */
  readonly mayReset: boolean;
}): Readonly<Record<string, PrivateCall>> {
  return {
    generate_token: {
      method: "POST",
      role: "operator",
      async answer({ ctx, event, body, notes }) {
        const id = textOf(body, "request_id");
        const terms = { issuer: issuerOf(body), validitySec: validityOf(body) };
        if (event === undefined || !isRequestIdShape(id)) return invalid();
        const answer = await admit(ctx, event, id, terms);
        noteVisitor(notes, findHolder(event, id));
        return answer;
      },
    },
    increment_serving_counter: {
      method: "POST",
      role: "operator",
      async answer({ caller, event, body, notes }) {
        const by = wholeNumberOf(body, "increment_by", incrementMax);
        if (event === undefined) return invalidEvent();
        const { room } = event;
        notes.isNothingNew = by === 0;
        if (by === 0) return ok({ serving_num: room.state?.serving ?? 0 });
        // The row says from where.
        await room.refresh();
        const { serving } = await takeStep(
          { subject: room, principal: caller, notes },
          { step: "increment", by },
          null,
        );
        return ok({ serving_num: serving });
      },
    },
    num_active_tokens: {
      method: "GET",
      role: "viewer",
      answer: async ({ event }) =>
        event === undefined ? invalidEvent() : ok({ active_tokens: countActive(event.room) }),
    },
    // An id, even of tokens that have expired, is the visitor's own.
    expired_tokens: {
      method: "GET",
      role: "operator",
      answer: async ({ event }) => (event === undefined ? invalidEvent() : ok(await expired.list(event.room))),
    },
    update_session: {
      method: "POST",
      role: "operator",
      async answer({ event, body, notes }) {
        const id = textOf(body, "request_id");
        const end = ends.get(body.status);
        if (end === undefined) throw gatewayErrors.badBody();
        if (event === undefined || !isRequestIdShape(id)) return invalid();
        return endSession(event, id, end, notes);
      },
    },
    reset_initial_state: {
      method: "POST",
      role: "operator",
      async answer({ caller, event, notes }) {
        if (!mayReset) throw new GatewayError(403, "A reset takes two people here: ask for it in the console");
        notes.isNothingNew = event === undefined;
        if (event !== undefined) {
          await event.room.refresh();
          await takeStep({ subject: event.room, principal: caller, notes }, { step: "reset" }, null);
        }
        return ok({ message: "It may take a minute or two to reset. Here it is done." });
      },
    },
  };
}

/** @throws GatewayError where the event's room is not the caller's, or the role too small */
export function callFor(
  home: Home,
  call: PrivateCall,
  caller: Caller,
  { eventId, notes }: { readonly eventId: string; readonly notes: RequestNotes },
): HomeEvent | undefined {
  const event = home.event(eventId);
  notes.room = event?.room.id ?? null;
  notes.subject = event === undefined ? {} : { event: event.id };
  // A key for some rooms isn't told which other events exist.
  requireRole(caller, call.role, event?.room.id ?? "");
  return event;
}

/** @throws GatewayError */
export function eventIdOf(query: Query): string {
  return query.get("event_id") ?? raise(gatewayErrors.missing("event_id"));
}

/** Live admissions of this edition: the tokens of an earlier line count no more, as after their reset. */
function countActive({ state, admissions }: WaitingRoom): number {
  let count = 0;
  for (const { edition, ended, sub } of admissions.allCached) {
    if (edition === state?.edition && ended === null && admissions.isCachedLive(sub)) count++;
  }
  return count;
}

/** By the id that operators know: the request id is the visitor's own, as a password is. */
function noteVisitor(notes: RequestNotes, holder: Holder | null): void {
  if (holder !== null) notes.subject = { ...notes.subject, sub: holder.ticket.sub };
}

async function endSession(
  event: HomeEvent,
  id: string,
  end: "completed" | "abandoned",
  notes: RequestNotes,
): Promise<Answer> {
  const { room } = event;
  const holder = await findHolderNow(event, id, room.clock.now());
  noteVisitor(notes, holder);
  // Usher's own end can be repeated; theirs cannot, so it is looked first.
  const admission = holder === null ? null : await room.admissions.find(holder.ticket.sub);
  if (admission === null || admission.ended !== null || readLogin(admission) === null) {
    return failed(404, "Request ID doesn't exist or status already set.");
  }
  await room.admissions.end(admission.sub, end);
  notes.changed({ status: "live" }, { status: end }, null);
  return ok({ ResponseMetadata: { HTTPStatusCode: 200 } });
}

function issuerOf(body: Body): string | null {
  const { issuer } = body;
  if (issuer === undefined || issuer === null) return null;
  const isUrl = typeof issuer === "string" && issuer.length <= 512 && /^[\x21-\x7e]+$/.test(issuer);
  return isUrl ? issuer : raise(gatewayErrors.badBody());
}

function validityOf(body: Body): number | null {
  if (body.validity_period === undefined || body.validity_period === null) return null;
  const seconds = wholeNumberOf(body, "validity_period", validityMaxSec);
  return seconds > 0 ? seconds : raise(gatewayErrors.badBody());
}

function wholeNumberOf(body: Body, name: string, most: number): number {
  const value = body[name];
  const isNumber = typeof value === "number" && Number.isInteger(value) && Math.abs(value) <= most;
  return isNumber ? value : raise(gatewayErrors.badBody());
}

function raise(error: GatewayError): never {
  throw error;
}
