import type { ClientConfig } from "../config/config.ts";
import type { Clock } from "../lib/clock.ts";
import type { Random } from "../lib/random.ts";
import { createRounds, type Rounds } from "../lib/rounds.ts";
import type { ClientDirectory } from "../registry/index.ts";
import { type EndedLogin, isInterruption, type WaitingRoom, type WaitingRooms } from "../waiting-room/index.ts";
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
/** So many requests of a room are under way at a time. */
const sideBySide = 10;
/** A site that fails is left alone for so long, so that it keeps no others waiting: what is due for it comes again. */
const restMs = 10_000;

/**
 * Back-channel logout (OpenID Connect Back-Channel Logout 1.0): tells sites that an admission has ended, whoever or whatever
 * ended it. The store lines up who is to be told, and gives each to one process (store/ended-logins.ts). A room none of whose
 * clients has a `backchannel_logout_uri` costs nothing.
 */
export function createBackchannelLogout(options: BackchannelLogoutOptions): Rounds {
  const { rooms, clients, tokens, clock, random, fetch: ask = fetch } = options;
  const listeners = clients.derive((all) => all.filter(({ backchannelLogout }) => backchannelLogout !== undefined));
  const restsUntilMs = new Map<string, number>();

  /** Tells whoever is to be told by now. */
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

  /** Answers the ids of those that need not come again. */
  async function tellAll(room: EndingRoom, taken: readonly EndedLogin[], stopping: AbortSignal): Promise<string[]> {
    const left = [...taken];
    const done: string[] = [];
    const work = async () => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        if (!stopping.aborted && (await tell(room, next, stopping))) done.push(next.id);
      }
    };
    await Promise.all(Array.from({ length: sideBySide }, work));
    return done;
  }

  async function tell(room: EndingRoom, login: EndedLogin, stopping: AbortSignal): Promise<boolean> {
    const { clientId, sub, attempt, isLast } = login;
    const client = clients.get(clientId);
    // Another process may know the client, while settings or files are changed one process after the other.
    if (client?.backchannelLogout === undefined) return false;
    if (clock.now() < (restsUntilMs.get(clientId) ?? 0) && !isLast) return false;
    const answer = await send(client, client.backchannelLogout.uri, login, stopping);
    if (stopping.aborted) return answer.result === "told";
    if (answer.result === "failed") restsUntilMs.set(clientId, clock.now() + restMs);
    else restsUntilMs.delete(clientId);
    const fields = { room: room.id, client: clientId, sub };
    if (answer.result === "told") {
      rooms.events.emit("backchannel_logout.told", fields);
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
