import type { ClientConfig } from "../../config/resolve/config.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Random } from "../../lib/random.ts";
import { createRounds, type Rounds } from "../../lib/rounds.ts";
import type { ClientDirectory } from "../../registry/index.ts";
import { type EndedLogin, isInterruption, type WaitingRoom, type WaitingRooms } from "../../room/index.ts";
import type { LogoutTokens } from "./logout-tokens.ts";
import { sendLogoutToken } from "./send-logout-token.ts";

/** A room, as far as the ends of its admissions matter. */
export interface EndingRoom {
  readonly id: string;
  readonly admissions: Pick<WaitingRoom["admissions"], "takeEnded">;
}

export interface BackchannelLogoutOptions {
  readonly rooms: { readonly all: readonly EndingRoom[]; readonly events: Pick<WaitingRooms["events"], "emit"> };
  readonly clients: ClientDirectory;
  readonly tokens: LogoutTokens;
  readonly clock: Clock;
  /** For jitter. */
  readonly random: Pick<Random, "fraction">;
  /** Default: Node's own. */
  readonly fetch?: typeof fetch;
}

const roundMs = 1_000;
const perTake = 100;
/** So many requests to a site are under way at a time, for a room. */
const sideBySide = 10;
/**
 * No request is begun late: logins left over for a slow site come again, after a longer pause. Within the time that an
 * answer may take, every login taken is sent or left before another process may take it.
 */
const beginWithinMs = { first: 5_000, last: 20_000 };
/** Milliseconds for which a failing site is left alone, so that it delays no others: its logins come again. */
const restMs = 10_000;

/**
 * Back-channel logout (OpenID Connect Back-Channel Logout 1.0): notifies sites that an admission has ended, whatever
 * ended it. The store queues the notifications, and gives each to one process (store/contract/ended-logins.ts). A room
 * without a client with a `backchannel_logout_uri` costs nothing.
 */
export function createBackchannelLogout(options: BackchannelLogoutOptions): Rounds {
  const { rooms, clients, tokens, clock, random, fetch: ask = fetch } = options;
  const listeners = clients.derive((all) => all.filter(({ backchannelLogout }) => backchannelLogout !== undefined));
  const restsUntilMs = new Map<string, number>();

  /** Sends the notifications that are due. */
  async function look(room: EndingRoom, stopping: AbortSignal): Promise<number> {
    if (!listeners().some((client) => client.rooms.includes(room.id))) return roundMs;
    let done: readonly string[] = [];
    let taken: readonly EndedLogin[];
    do {
      const limit = stopping.aborted ? 0 : perTake;
      try {
        taken = await room.admissions.takeEnded(done, limit);
      } catch (error) {
        if (!isInterruption(error)) throw error;
        return roundMs;
      }
      done = await tellAll(room, taken, stopping);
    } while (taken.length > 0);
    return roundMs;
  }

  /** Answers the ids of those that need not come again. No site waits for another. */
  async function tellAll(room: EndingRoom, taken: readonly EndedLogin[], stopping: AbortSignal): Promise<string[]> {
    const done: string[] = [];
    const beganMs = clock.now();
    const work = async (left: EndedLogin[]) => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        const withinMs = next.isLast ? beginWithinMs.last : beginWithinMs.first;
        if (stopping.aborted) return;
        if (clock.now() - beganMs >= withinMs) leave(room, next);
        else if (await report(room, next, stopping)) done.push(next.id);
      }
    };
    const workers = bySite(taken).flatMap((left) => Array.from({ length: sideBySide }, () => work(left)));
    await Promise.all(workers);
    return done;
  }

  /** There is no time left for it now. */
  function leave(room: EndingRoom, { clientId, sub, attempt, isLast }: EndedLogin): void {
    if (!isLast) return;
    const fields = { room: room.id, client: clientId, sub, attempt };
    rooms.events.emit("backchannel_logout.failed", { ...fields, isOver: true, reason: "the site answers too slowly" });
  }

  async function report(room: EndingRoom, login: EndedLogin, stopping: AbortSignal): Promise<boolean> {
    const { clientId, sub, attempt, isLast } = login;
    const client = clients.get(clientId);
    // Another process may know the client, while settings or files are changed one process after the other.
    if (client?.backchannelLogout === undefined) return false;
    if (clock.now() < (restsUntilMs.get(clientId) ?? 0) && !isLast) return false;
    const answer = await send(client, client.backchannelLogout.uri, login, stopping);
    if (stopping.aborted) return answer.result === "sent";
    if (answer.result === "failed") restsUntilMs.set(clientId, clock.now() + restMs);
    else restsUntilMs.delete(clientId);
    const fields = { room: room.id, client: clientId, sub };
    if (answer.result === "sent") {
      rooms.events.emit("backchannel_logout.sent", fields);
      return true;
    }
    const isOver = isLast || answer.result === "refused";
    rooms.events.emit("backchannel_logout.failed", { ...fields, attempt, isOver, reason: answer.reason });
    return isOver;
  }

  async function send(client: ClientConfig, uri: string, login: EndedLogin, stopping: AbortSignal) {
    return sendLogoutToken(ask, uri, await tokens.issue(client, login), stopping);
  }

  const onFailure = (room: EndingRoom, error: unknown) => rooms.events.emit("room.failed", { room: room.id, error });
  return createRounds({ rooms: () => rooms.all, random, look, onFailure });
}

/** Those of each site, what comes no more first. */
function bySite(taken: readonly EndedLogin[]): EndedLogin[][] {
  const sites = new Map<string, EndedLogin[]>();
  for (const login of taken) {
    const left = sites.get(login.clientId) ?? [];
    sites.set(login.clientId, left);
    if (login.isLast) left.unshift(login);
    else left.push(login);
  }
  return [...sites.values()];
}
