import { StoreUnavailableError } from "../../lib/errors.ts";
import { createSharedCalls } from "../../lib/shared-calls.ts";
import type { Admission, ClaimRequest, ClaimResult, LinkClaim } from "../../store/contract/room-store.ts";
import type { Entrance } from "../line.ts";
import { RoomRecoveringError } from "../replica/recovery-client.ts";
import type { SyncedRoom } from "../replica/synced-room.ts";
import { isRefusal, type RefusalReason } from "../statistics/process-counts.ts";
import { hashRequest, type Ticket } from "../tickets/ticket.ts";
import { nameInVisitorId } from "../tickets/visitor-key.ts";
import type { AwayAdmission, AwayAdmissions } from "./away-admissions.ts";

export type ClaimAnswer =
  | ClaimResult
  | { result: "recovering"; remainingMs: number }
  | { result: "away" }
  /** The store is away, and the room lets visitors in without it. */
  | { result: "let_in"; admission: AwayAdmission };

/** What a claim carries besides the ticket and the login. */
export interface ClaimOptions {
  /** A program claims in the visitor's name (`prompt=none`). Where everybody passes, such a claim admits nobody anew. */
  readonly isSilent?: boolean;
  /** A bypass link. The claim uses it up only where nothing else admits the visitor. */
  readonly bypass?: LinkClaim | null;
  /** The address block (lib/address-block.ts) under which the login is counted; null: the login is not counted. */
  readonly address?: string | null;
}

/** A `WaitingRoom`, as far as a claim goes by it. */
type ClaimedRoom = Pick<SyncedRoom, "state" | "availability" | "replica"> & {
  readonly away: AwayAdmissions;
  readonly entrance: Entrance;
};

export type Claim = ReturnType<typeof createClaim>;

/** Claims that go to the store in one call, which takes a few milliseconds there; the store's bound is higher. */
const claimsPerCall = 32;

/**
 * How visitors come to an admission.
 *
 * @param countRefusal for the statistics
 * @param isStoreCutOff whether the store cannot be asked now
 */
export function createClaim(
  room: SyncedRoom,
  away: AwayAdmissions,
  countRefusal: (reason: RefusalReason) => void,
  isStoreCutOff: () => boolean = () => false,
) {
  /** Each claim is judged by itself: those of one call have nothing to do with each other. */
  const claim = createSharedCalls<ClaimRequest, ClaimResult>({
    call: (claims) => room.run("claim", claims),
    most: claimsPerCall,
    isCutOff: isStoreCutOff,
  });

  /** With the position as this process knows it by now. */
  function claimOf(ticket: Ticket, login: string | null, options: ClaimOptions): ClaimRequest {
    const { bypass = null, address = null, isSilent = false } = options;
    const { sub, edition, position, entry = null, joinedMs, claim: proof } = room.place(ticket);
    // Hashed with the `sub`, so that the store does not know which admissions share an address.
    const named = login === null || address === null ? null : hashRequest(`${sub} ${address}`);
    const key = room.isByKey ? { key: nameInVisitorId(sub) } : {};
    return { sub, edition, position, entry, joinedMs, login, address: named, proof, bypass, isSilent, ...key };
  }

  function learn(
    { isNew, admission }: Extract<ClaimResult, { result: "admitted" }>,
    login: string | null,
    { bypass }: ClaimOptions,
  ): void {
    const { sub, position, edition, via } = admission;
    room.replica.learnAdmission(admission);
    room.emit("admission.granted", { sub, position, edition, via, isNew, isLogin: login !== null });
    if (isNew && via === "bypass" && bypass) room.emit("bypass.used", { link: bypass.id, sub });
  }

  function noteRefusal(reason: Exclude<ClaimResult["result"], "admitted">): void {
    room.emit("claim.refused", { reason });
    if (isRefusal(reason)) countRefusal(reason);
  }

  /**
   * Claims an admission: with a place, without one where everybody passes, or again with a live admission. Idempotent but for
   * the login it records. A loss that the ticket proves is reported.
   *
   * @param login names the authorization request to be answered (see `Admission.logins`); null for none.
   */
  return async (ticket: Ticket, login: string | null, options: ClaimOptions = {}): Promise<ClaimAnswer> => {
    try {
      let result = await claim(claimOf(ticket, login, options));
      if (result.result === "beyond" || result.result === "newer_edition") {
        await room.reportLoss(ticket);
        result = await claim(claimOf(ticket, login, options));
      }
      if (result.result === "admitted") learn(result, login, options);
      else noteRefusal(result.result);
      return result;
    } catch (error) {
      if (error instanceof RoomRecoveringError) {
        room.emit("claim.refused", { reason: "recovering" });
        return { result: "recovering", remainingMs: error.remainingMs };
      }
      if (!(error instanceof StoreUnavailableError)) throw error;
      // A bypass link keeps until the store is back, which uses it up.
      const admission = options.bypass ? null : away.admit(ticket);
      return admission === null ? { result: "away" } : { result: "let_in", admission };
    }
  };
}

/** Tickets around a claim: whether a ticket may make one, why a claim was held, and the ticket after it. */

/** Removes a place of an older edition, which is void; an admission that came of it may still be live. */
export function withoutOldPlace({ state }: Pick<SyncedRoom, "state">, ticket: Ticket): Ticket {
  if (state === null || ticket.position === 0 || ticket.edition >= state.edition) return ticket;
  return { ...ticket, edition: 0, position: 0, entry: null, joinedMs: 0 };
}

/** Whether the store has to decide. Judged by the last synced state, which is about a second old at most. */
export function mayClaim(room: ClaimedRoom, ticket: Ticket): boolean {
  if (room.state === null) return false;
  if (room.availability === "away" && room.away.isLettingIn) return room.away.mayEnter(ticket);
  if (ticket.claim !== null || room.entrance === "pass" || room.replica.isCachedLive(ticket.sub)) return true;
  return ticket.position <= (room.replica.latest?.serving ?? 0) && room.state.phase === "open";
}

/** A claim that a limit held back: by which limit, and how many ready visitors enter first. */
export interface DeferredClaim {
  readonly by: "limit" | "capacity";
  readonly rank: number;
}

/** Null for a claim that was not held, or was held by a recovery, for which the page has its own text. */
export function deferredClaim(result: ClaimAnswer | null): DeferredClaim | null {
  return result?.result === "held" && result.by !== "recovery" ? { by: result.by, rank: result.rank } : null;
}

/** The ticket of an admitted visitor. It has no place if there was none, or one of an older edition. */
export function claimedTicket({ state }: Pick<SyncedRoom, "state">, ticket: Ticket, admission: Admission): Ticket {
  const { position, edition, entry = null, admittedMs, expiresMs, via } = admission;
  const claimed = { ...ticket, position, entry, edition, claim: { admittedMs, expiresMs, via } };
  const isOld = state !== null && edition < state.edition;
  return position === 0 || isOld ? { ...claimed, edition: 0, position: 0 } : claimed;
}
