/** Returns to the line the places that a browser holds besides the one that counts. */
import type { ServerResponse } from "node:http";
import { isInterruption, type Ticket, type WaitingRoom } from "../../room/index.ts";
import { nameOf, type TicketCookies } from "./visitor-cookies.ts";

/** Of each room. */
const returnedMax = 10_000;

export function createSurplus(cookies: Pick<TicketCookies, "spare">) {
  /** Places that are being returned, or were recently: a repeated request does not call the store again. */
  const returned = new WeakMap<WaitingRoom, Map<string, Promise<void>>>();

  function returnedOf(room: WaitingRoom): Map<string, Promise<void>> {
    const existing = returned.get(room);
    if (existing !== undefined && existing.size < returnedMax) return existing;
    const created = new Map<string, Promise<void>>();
    returned.set(room, created);
    return created;
  }

  /** While the store is away the places stay in the browser, and the next request returns them. */
  return async function returnSurplus(
    room: WaitingRoom,
    response: ServerResponse,
    surplus: readonly Ticket[],
  ): Promise<void> {
    if (surplus.length === 0 || room.availability !== "ready") return;
    const inProgress = returnedOf(room);
    const leave = async (ticket: Ticket) => {
      const name = nameOf(ticket);
      const leaving = inProgress.get(name) ?? room.leavePlace(ticket);
      inProgress.set(name, leaving);
      try {
        await leaving;
        cookies.spare(room.id, name).clear(response);
      } catch (error) {
        inProgress.delete(name);
        if (!isInterruption(error)) throw error;
      }
    };
    await Promise.all(surplus.map(leave));
  };
}
