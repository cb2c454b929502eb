/** The public calls of the interface, each with the words of its Lambda function. */
import type { Context } from "koa";
import type { Random } from "../../lib/clock-and-random.ts";
import type { GateSteps, JoinOf } from "../../oidc/index.ts";
import { peopleWaiting, type Ticket, ticketWithoutPlace, type WaitingRoom } from "../../room/index.ts";
import type { JoinAddress } from "../../web/visitor/joining.ts";
import { type Admit, turnOf } from "./admit.ts";
import { findHolder, findHolderNow, type Home, type HomeEvent, isUndrawn } from "./home.ts";
import type { HomeCounts } from "./metrics.ts";
import { createStrayId, isRequestIdShape } from "./request-id.ts";
import type { AwsTokens } from "./tokens.ts";
import { type Answer, awayRetryMs, failed, gatewayErrors, ok } from "./wire.ts";

/** What everybody is told alike, once a second. */
const ofAll = "public, max-age=1";
const ofKey = "public, max-age=60";
/** After which a full line may have room again. */
const fullRetryMs = 30_000;
/** After which a room may have opened. */
const closedRetryMs = 5_000;

const invalid = () => failed(400, "Invalid event or request ID");

export type Query = { get(name: string): string | null };
export type PublicCalls = ReturnType<typeof createPublicCalls>;

export function createPublicCalls(parts: {
  readonly home: Home;
  readonly admit: Admit;
  readonly tokens: AwsTokens;
  readonly join: JoinOf;
  readonly joinAddressOf: JoinAddress;
  readonly steps: Pick<GateSteps, "identify">;
  readonly counts: Pick<HomeCounts, "joined">;
  readonly random: Random;
}) {
  const { home, admit, tokens, join, joinAddressOf, steps, counts, random } = parts;

  return {
    /** `GET`: what this process can say at once; null where the store has to be asked first. @throws GatewayError */
    read: {
      queue_num(query: Query): Answer | null {
        const [event, id] = eventAndId(query);
        if (event === undefined || !isRequestIdShape(id)) return invalid();
        const holder = findHolder(event, id);
        if (holder === null || isUndrawn(event.room, holder.place)) return failed(202, "Request ID not found");
        const { room } = event;
        if (room.isNews(holder.ticket)) return null;
        const entry_time = entryTimeOf(room, holder.ticket);
        return ok({ queue_number: holder.ticket.position, entry_time, event_id: event.id, status: 1 });
      },

      serving_num(query: Query): Answer {
        const room = roomOf(query);
        return room === undefined
          ? failed(400, "Invalid event ID")
          : ok({ serving_counter: String(stateOf(room).serving) }, ofAll);
      },

      waiting_num(query: Query): Answer {
        const room = roomOf(query);
        return room === undefined
          ? failed(400, "Invalid event ID")
          : ok({ waiting_num: peopleWaiting(stateOf(room)) }, ofAll);
      },

      /** The text of its error is theirs. */
      public_key: (query: Query): Answer =>
        roomOf(query) === undefined ? failed(400, "Invalid request ID") : ok(tokens.publicKey(), ofKey),

      queue_pos_expiry(query: Query): Answer | null {
        const [event, id] = eventAndId(query);
        if (event === undefined || !isRequestIdShape(id)) return invalid();
        const holder = findHolder(event, id);
        return holder === null || event.room.isNews(holder.ticket) ? null : turnOf(event, holder);
      },
    },

    /** Where `read` has answered null: the same, by what the store says. */
    readAgain: {
      async queue_num(query: Query): Promise<Answer> {
        const [event, id] = eventAndId(query);
        const holder = event === undefined ? null : await findHolderNow(event, id, event.room.clock.now());
        if (event === undefined || holder === null || isUndrawn(event.room, holder.place)) {
          return failed(202, "Request ID not found");
        }
        const entry_time = entryTimeOf(event.room, holder.ticket);
        return ok({ queue_number: holder.ticket.position, entry_time, event_id: event.id, status: 1 });
      },
      async queue_pos_expiry(query: Query): Promise<Answer> {
        const [event, id] = eventAndId(query);
        const holder = event === undefined ? null : await findHolderNow(event, id, event.room.clock.now());
        return event === undefined || holder === null ? failed(404, "Invalid request ID") : turnOf(event, holder);
      },
    },

    /** `POST assign_queue_num`. An event that there is not gets an id, too, which never gets a number. @throws GatewayError */
    async assign(ctx: Context, body: Body): Promise<Answer> {
      const eventId = textOf(body, "event_id");
      const event = home.event(eventId);
      return ok({ api_request_id: event === undefined ? createStrayId(random) : await takePlace(ctx, event) });
    },

    /** `POST generate_token`. @throws GatewayError */
    async generate(ctx: Context, body: Body): Promise<Answer> {
      const [eventId, id] = [textOf(body, "event_id"), textOf(body, "request_id")];
      const event = home.event(eventId);
      return event === undefined || !isRequestIdShape(id) ? invalid() : admit(ctx, event, id);
    },
  };

  /** @throws GatewayError */
  function eventAndId(query: Query): [HomeEvent | undefined, string] {
    const [event, id] = [query.get("event_id"), query.get("request_id")];
    const missing = [...(event === null ? ["event_id"] : []), ...(id === null ? ["request_id"] : [])];
    if (event === null || id === null) throw gatewayErrors.missing(...missing);
    return [home.event(event), id];
  }

  /** @throws GatewayError */
  function roomOf(query: Query): WaitingRoom | undefined {
    const event = query.get("event_id");
    if (event === null) throw gatewayErrors.missing("event_id");
    return home.event(event)?.room;
  }

  /** @throws GatewayError where no place is given */
  async function takePlace(ctx: Context, event: HomeEvent): Promise<string> {
    const { room, ids } = event;
    const passing = room.availability === "away" ? passerOf(event) : null;
    const visitor = passing === null ? null : ticketWithoutPlace(room.id, passing.sub);
    // A program that shows nothing: no cookie counts here.
    const joined = await join(ctx, room, visitor, room.clock.now(), async () => ({}));
    switch (joined.result) {
      case "joined":
        if (joined.ticket.position > 0) {
          counts.joined(room.id);
          return idOf(event, joined.ticket);
        }
        // Let in while the store is away, without a place: known by the name that was sent along.
        if (passing === null) throw gatewayErrors.away(awayRetryMs);
        return passing.requestId;
      case "later":
        throw gatewayErrors.away(joined.retryMs);
      case "full":
        throw gatewayErrors.away(fullRetryMs);
      case "too_many":
        throw gatewayErrors.tooMany(joined.retryMs);
      case "closed": {
        if (room.entrance !== "pass") throw gatewayErrors.away(closedRetryMs);
        if ("page" in steps.identify(ctx, room)) throw gatewayErrors.forbidden();
        const retryMs = room.passers.take(joinAddressOf(ctx));
        if (retryMs > 0) throw gatewayErrors.tooMany(retryMs);
        const { edition } = stateOf(room);
        return ids.encode({ edition, number: 0, joinedMs: 0 });
      }
      // A network or a block of addresses that nobody may come from, or a question that nobody can answer here.
      default:
        throw gatewayErrors.forbidden();
    }
  }

  function idOf({ ids }: HomeEvent, { edition, position, entry, joinedMs }: Ticket): string {
    return ids.encode({ edition, number: entry?.number ?? position, joinedMs });
  }

  function passerOf({ room, ids }: HomeEvent): { requestId: string; sub: string } | null {
    const { state } = room;
    if (state === null) return null;
    const requestId = ids.encode({ edition: state.edition, number: 0, joinedMs: 0 });
    const found = ids.decode(requestId, state);
    return found && { requestId, sub: found.sub };
  }
}

export type Body = Readonly<Record<string, unknown>>;

/** Of an event id or a request id no more is read. */
const textLengthMax = 256;

/** A member that the API Gateway's validator asks for. @throws GatewayError */
export function textOf(body: Body, name: string): string {
  const value = Object.hasOwn(body, name) ? body[name] : undefined;
  if (typeof value !== "string" || value.length > textLengthMax) throw gatewayErrors.badBody();
  return value;
}

/** As reported to visitors. @throws GatewayError before the first sync */
function stateOf(room: WaitingRoom) {
  const state = room.reportedState;
  if (state === null) throw gatewayErrors.away(awayRetryMs);
  return state;
}

/** When the place was taken, in seconds since 1970, by the room's clock: a pause since then moves it on. Without a place: now. */
function entryTimeOf(room: WaitingRoom, { position, joinedMs }: Ticket): number {
  const { state, nowMs } = room;
  const agoMs = state === null || position === 0 ? 0 : Math.max(0, state.claimMs - joinedMs);
  return Math.floor(((state?.nowMs ?? nowMs) - agoMs) / 1_000);
}
