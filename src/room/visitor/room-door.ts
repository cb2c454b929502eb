import type { EventEmitter } from "node:events";
import { StoreUnavailableError } from "../../lib/errors.ts";
import type {
  BypassClaim,
  ClaimRequest,
  ClaimResult,
  KnownIncarnation,
  Outcome,
  RoomStore,
} from "../../store/contract/room-store.ts";
import type { RoomEvents } from "../events.ts";
import { isInterruption } from "../replica/interruptions.ts";
import { type RecoveryClient, RoomRecoveringError } from "../replica/recovery-client.ts";
import type { RoomReplica } from "../replica/room-replica.ts";
import { hashRequest } from "../tickets/login-request.ts";
import type { Ticket } from "../tickets/ticket.ts";

export type EnterResult = ClaimResult | { result: "recovering"; remainingMs: number } | { result: "away" };

/** How a visitor came who asks to enter. */
export interface WayIn {
  /** Nobody came: a program asked in the visitor's name (`prompt=none`). That begins no visit where everybody passes. */
  readonly isSilent?: boolean;
  /** A bypass link. It is used up only where nothing else lets the visitor in. */
  readonly bypass?: BypassClaim | null;
  /** The address of who asks (lib/address-block.ts), which a login is counted under; null: it is not. */
  readonly address?: string | null;
}

export interface RoomDoorParts {
  readonly id: string;
  readonly store: RoomStore;
  readonly replica: RoomReplica;
  readonly events: EventEmitter<RoomEvents>;
  readonly recovery: RecoveryClient;
  /** Carries an operation to the store under the incarnation that this process knows. */
  readonly run: <T>(operation: (incarnation: KnownIncarnation) => Promise<Outcome<T>>) => Promise<T>;
  readonly refresh: () => Promise<void>;
}

/** Where tickets are presented: claims, and tickets that know more than the store. */
export class RoomDoor {
  readonly #parts: RoomDoorParts;

  constructor(parts: RoomDoorParts) {
    this.#parts = parts;
  }

  /** See `WaitingRoom.enter`. */
  async enter(ticket: Ticket, login: string | null, way: WayIn): Promise<EnterResult> {
    const { id: room, replica, events } = this.#parts;
    const { bypass = null } = way;
    try {
      const result = await this.#claimOrReportLoss(ticket, login, way);
      if (result.result !== "admitted") {
        events.emit("claim.refused", { room, reason: result.result });
        return result;
      }
      const { sub, position, edition, via } = result.admission;
      replica.learnAdmissions([result.admission]);
      const { isNew } = result;
      events.emit("admission.granted", { room, sub, position, edition, via, isNew, isLogin: login !== null });
      if (isNew && via === "bypass" && bypass !== null) events.emit("bypass.used", { room, link: bypass.id, sub });
      return result;
    } catch (error) {
      if (error instanceof RoomRecoveringError) {
        events.emit("claim.refused", { room, reason: "recovering" });
        return { result: "recovering", remainingMs: error.remainingMs };
      }
      if (error instanceof StoreUnavailableError) return { result: "away" };
      throw error;
    }
  }

  /** See `WaitingRoom.verifyAhead`. */
  async verifyAhead(ticket: Ticket): Promise<void> {
    const { replica, refresh } = this.#parts;
    try {
      await refresh();
      if (!replica.isNews(ticket)) return;
      await this.#reportLoss(ticket);
      // Learns that recovery has begun, or what the store knows now.
      await refresh();
    } catch (error) {
      if (!isInterruption(error)) throw error;
    }
  }

  async #claimOrReportLoss(ticket: Ticket, login: string | null, way: WayIn): Promise<ClaimResult> {
    const result = await this.#claim(this.#requestOf(ticket, login, way));
    if (result.result !== "beyond" && result.result !== "newer_edition") return result;
    await this.#reportLoss(ticket);
    return this.#claim(this.#requestOf(ticket, login, way));
  }

  /** With the position as this process knows it by now. */
  #requestOf(ticket: Ticket, login: string | null, way: WayIn): ClaimRequest {
    const { bypass = null, address = null, isSilent = false } = way;
    const { sub, edition, position, entry = null, joinedMs, claim: proof } = this.#parts.replica.place(ticket);
    // Named for this visitor alone, so that no two admissions are known to be of one address.
    const named = login === null || address === null ? null : hashRequest(`${sub} ${address}`);
    return { sub, edition, position, entry, joinedMs, login, address: named, proof, bypass, isSilent };
  }

  #claim(request: ClaimRequest): Promise<ClaimResult> {
    const { id, store, run } = this.#parts;
    return run((incarnation) => store.claim(id, incarnation, request));
  }

  async #reportLoss(ticket: Ticket): Promise<void> {
    const memory = this.#parts.replica.recallFromTicket(ticket);
    if (memory !== null) await this.#parts.recovery.offer(memory);
  }
}
