import { createSharedCalls } from "../../lib/shared-calls.ts";
import type {
  Admission,
  AdmissionEnd,
  EndedLogin as StoredLogin,
  WantedAdmissions,
} from "../../store/contract/room-store.ts";
import type { SyncedRoom } from "../replica/synced-room.ts";

/** How it stands with an admission: live, or how it has ended. */
export const admissionStatuses = [
  "live",
  "expired",
  "logout",
  "completed",
  "abandoned",
  "revoked",
] as const satisfies readonly (AdmissionEnd | "live")[];

/** A client that is to be notified that a visitor's admission has ended. */
export interface EndedLogin extends StoredLogin {
  readonly clientId: string;
  readonly sub: string;
  /** Of the admission, in milliseconds. */
  readonly admittedMs: number;
  /** How many times it was taken, this time included. */
  readonly attempt: number;
}

function readEndedLogin({ id, isLast }: StoredLogin): EndedLogin {
  const [attempt, admittedMs, sub = "", ...clientId] = id.split(":");
  return { id, isLast, sub, clientId: clientId.join(":"), admittedMs: Number(admittedMs), attempt: Number(attempt) };
}

/**
 * How a login is recorded with the admission, so that its client is notified of the end.
 *
 * @param hash of the authorization request
 */
export function loginOf(hash: string, clientId: string): string {
  return `${hash}:${clientId}`;
}

/** Those that are read in one call. */
const admissionsPerCall = 32;

/** Admissions, live or ended: lookup, extension, end. All that ask the store throw StoreUnavailableError or RoomRecoveringError. */
export class RoomAdmissions {
  readonly #room: SyncedRoom;
  /** The admission on record, live or ended. */
  readonly find: (sub: string) => Promise<Admission | null>;

  /** @param isStoreCutOff whether the store cannot be asked now */
  constructor(room: SyncedRoom, isStoreCutOff: () => boolean = () => false) {
    this.#room = room;
    this.find = createSharedCalls<string, Admission | null>({
      call: (subs) => room.store.admissions(room.name, subs),
      most: admissionsPerCall,
      isCutOff: isStoreCutOff,
    });
  }

  /** A page of them; see `RoomStore.listAdmissions`. */
  async list(cursor: number, limit: number, wanted: WantedAdmissions) {
    return this.#room.store.listAdmissions(this.#room.name, cursor, limit, wanted);
  }

  /** Whether this process knows that the visitor's admission is live. Asks no store. */
  isCachedLive(sub: string): boolean {
    return this.#room.replica.isCachedLive(sub);
  }

  /** The admission as this process last synced it, and whether it is live by that. Asks no store. */
  cached(sub: string): { readonly admission: Admission; readonly isLive: boolean } | null {
    const admission = this.#room.replica.admission(sub);
    return admission === undefined ? null : { admission, isLive: this.isCachedLive(sub) };
  }

  /** All that this process knows, live and ended. Asks no store. */
  get allCached(): Iterable<Admission> {
    return this.#room.replica.admissions;
  }

  /** Ends a live admission; the first end stays. Null where the visitor has none on record. */
  async end(sub: string, end: AdmissionEnd): Promise<Admission | null> {
    const { replica } = this.#room;
    const wasOver = replica.admission(sub)?.ended != null;
    const admission = await this.#room.run("endAdmission", sub, end);
    if (admission === null) return null;
    replica.learnAdmissions([admission]);
    if (!wasOver) this.#room.emit("admission.ended", { sub, end: admission.ended ?? end });
    return admission;
  }

  /** Takes the token that was handed over for a login: true once for each, at all processes together. */
  async takeLogin(sub: string, login: string): Promise<boolean> {
    const admission = await this.#room.run("takeLogin", sub, login);
    if (admission !== null) this.#room.replica.learnAdmissions([admission]);
    return admission !== null;
  }

  /** A site has seen the visitor: the admission on record, which lasts its time now; null without one. Asks the store to keep it once. */
  async visit(sub: string): Promise<Admission | null> {
    const found = await this.find(sub);
    if (found?.visitByMs === undefined || found.ended !== null) return found;
    const admission = await this.#room.run("recordVisit", sub);
    if (admission !== null) this.#room.replica.learnAdmission(admission);
    return admission;
  }

  /** A refresh of tokens: the admission on record, extended where admissions are sliding; null without one. */
  async renew(sub: string): Promise<Admission | null> {
    const admission = await this.#room.run("renewAdmission", sub);
    if (admission !== null) this.#room.replica.learnAdmission(admission);
    if (admission?.ended === null) this.#room.emit("admission.renewed", { sub });
    return admission;
  }

  /**
   * Takes logins whose clients are to be notified that the admission has ended; what nobody says is done comes again.
   *
   * @param done ids of those that were taken earlier and need not come again
   */
  async takeEnded(done: readonly string[], limit: number): Promise<EndedLogin[]> {
    return (await this.#room.run("takeEndedLogins", done, limit)).map(readEndedLogin);
  }
}
