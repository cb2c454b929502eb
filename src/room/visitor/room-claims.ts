import type { EventEmitter } from "node:events";
import { StoreUnavailableError } from "../../lib/errors.ts";
import type { BypassClaim, ClaimRequest, ClaimResult, RoomStore } from "../../store/contract/room-store.ts";
import type { RoomEvents } from "../events.ts";
import { RoomRecoveringError } from "../replica/recovery-client.ts";
import type { RoomReplica } from "../replica/room-replica.ts";
import type { RoomSync } from "../replica/room-sync.ts";
import { hashRequest } from "../tickets/login-request.ts";
import type { Ticket } from "../tickets/ticket.ts";

export type ClaimAnswer = ClaimResult | { result: "recovering"; remainingMs: number } | { result: "away" };

/** What a claim carries besides the ticket and the login. */
export interface ClaimOptions {
  /** A program claims in the visitor's name (`prompt=none`). Where everybody passes, such a claim admits nobody anew. */
  readonly isSilent?: boolean;
  /** A bypass link. The claim uses it up only where nothing else admits the visitor. */
  readonly bypass?: BypassClaim | null;
  /** The address block (lib/address-block.ts) under which the login is counted; null: the login is not counted. */
  readonly address?: string | null;
}

export interface RoomClaimsParts {
  readonly id: string;
  readonly store: RoomStore;
  readonly replica: RoomReplica;
  readonly events: EventEmitter<RoomEvents>;
  readonly sync: RoomSync;
}

/** Sends claims to the store, and reports losses that a ticket proves. */
export class RoomClaims {
  readonly #parts: RoomClaimsParts;

  constructor(parts: RoomClaimsParts) {
    this.#parts = parts;
  }

  /** See `WaitingRoom.claim`. */
  async claim(ticket: Ticket, login: string | null, options: ClaimOptions): Promise<ClaimAnswer> {
    const { id: room, replica, events } = this.#parts;
    const { bypass = null } = options;
    try {
      const result = await this.#claimOrReportLoss(ticket, login, options);
      if (result.result !== "admitted") {
        events.emit("claim.refused", { room, reason: result.result });
        return result;
      }
      const { sub, position, edition, via } = result.admission;
      replica.learnAdmission(result.admission);
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

  async #claimOrReportLoss(ticket: Ticket, login: string | null, options: ClaimOptions): Promise<ClaimResult> {
    const { id, store, sync } = this.#parts;
    // Built for each attempt: the second has the position as this process knows it by then.
    const claim = () => {
      const request = this.#requestOf(ticket, login, options);
      return sync.run((incarnation) => store.claim(id, incarnation, request));
    };
    const result = await claim();
    if (result.result !== "beyond" && result.result !== "newer_edition") return result;
    await sync.reportLoss(ticket);
    return claim();
  }

  #requestOf(ticket: Ticket, login: string | null, options: ClaimOptions): ClaimRequest {
    const { bypass = null, address = null, isSilent = false } = options;
    const { sub, edition, position, entry = null, joinedMs, claim: proof } = this.#parts.replica.place(ticket);
    // Hashed with the `sub`, so that the store cannot tell which admissions share an address.
    const named = login === null || address === null ? null : hashRequest(`${sub} ${address}`);
    return { sub, edition, position, entry, joinedMs, login, address: named, proof, bypass, isSilent };
  }
}
