import type { EventEmitter } from "node:events";
import type { Admission, AdmissionEnd, RoomStore, WantedAdmissions } from "../../store/contract/room-store.ts";
import type { RoomEvents } from "../events.ts";
import { isLiveAt } from "../replica/admission-times.ts";
import type { RoomReplica } from "../replica/room-replica.ts";
import type { RoomSync } from "../replica/room-sync.ts";
import { type EndedLogin, readEndedLogin } from "./ended-login.ts";

export interface RoomAdmissionsParts {
  readonly id: string;
  readonly store: RoomStore;
  readonly replica: RoomReplica;
  readonly events: EventEmitter<RoomEvents>;
  readonly sync: RoomSync;
}

/** How it stands with an admission: live, or how it has ended. */
export const admissionStatuses = [
  "live",
  "expired",
  "logout",
  "completed",
  "abandoned",
  "revoked",
] as const satisfies readonly (AdmissionEnd | "live")[];

/** Admissions, live or ended: lookup, extension, end. */
export class RoomAdmissions {
  readonly #parts: RoomAdmissionsParts;

  constructor(parts: RoomAdmissionsParts) {
    this.#parts = parts;
  }

  /** The admission on record, live or ended. Asks the store. @throws StoreUnavailableError */
  find(sub: string): Promise<Admission | null> {
    return this.#parts.store.admission(this.#parts.id, sub);
  }

  /** A page of them; see `RoomStore.listAdmissions`. @throws StoreUnavailableError */
  list(
    cursor: number,
    limit: number,
    wanted: WantedAdmissions,
  ): Promise<{ admissions: Admission[]; cursor: number | null }> {
    return this.#parts.store.listAdmissions(this.#parts.id, cursor, limit, wanted);
  }

  /** Whether this process knows that the visitor's admission is live. */
  isKnownLive(sub: string): boolean {
    const { replica } = this.#parts;
    const admission = replica.admission(sub);
    if (admission === undefined) return false;
    return replica.state === null ? admission.ended === null : isLiveAt(replica.state, admission);
  }

  /** The admission as this process last synced it, and whether it is live by that. Asks no store. */
  known(sub: string): { readonly admission: Admission; readonly isLive: boolean } | null {
    const admission = this.#parts.replica.admission(sub);
    return admission === undefined ? null : { admission, isLive: this.isKnownLive(sub) };
  }

  /** Ends a live admission; the first end stays. Null where the visitor has none on record. */
  async end(sub: string, end: AdmissionEnd): Promise<Admission | null> {
    const { id, store, replica, events, sync } = this.#parts;
    const wasOver = replica.admission(sub)?.ended != null;
    const admission = await sync.run((incarnation) => store.endAdmission(id, incarnation, sub, end));
    if (admission === null) return null;
    replica.learnAdmissions([admission]);
    if (!wasOver) events.emit("admission.ended", { room: id, sub, end: admission.ended ?? end });
    return admission;
  }

  /**
   * Takes the token that was handed over for a login: true once for each, at all processes together.
   *
   * @throws StoreUnavailableError
   * @throws RoomRecoveringError
   */
  async takeLogin(sub: string, login: string): Promise<boolean> {
    const { id, store, replica, sync } = this.#parts;
    const admission = await sync.run((incarnation) => store.takeLogin(id, incarnation, sub, login));
    if (admission !== null) replica.learnAdmissions([admission]);
    return admission !== null;
  }

  /**
   * A refresh of tokens: the admission on record, extended where admissions are sliding; null without one.
   *
   * @throws StoreUnavailableError
   * @throws RoomRecoveringError
   */
  async renew(sub: string): Promise<Admission | null> {
    const { id, store, replica, events, sync } = this.#parts;
    const admission = await sync.run((incarnation) => store.renewAdmission(id, incarnation, sub));
    if (admission !== null) replica.learnAdmission(admission);
    if (admission?.ended === null) events.emit("admission.renewed", { room: id, sub });
    return admission;
  }

  /**
   * Takes logins whose clients are to be notified that the admission has ended; what nobody says is done comes again.
   *
   * @param done ids of those that were taken earlier and need not come again
   * @throws StoreUnavailableError
   * @throws RoomRecoveringError
   */
  async takeEnded(done: readonly string[], limit: number): Promise<EndedLogin[]> {
    const { id, store, sync } = this.#parts;
    return (await sync.run((incarnation) => store.takeEndedLogins(id, incarnation, done, limit))).map(readEndedLogin);
  }
}
