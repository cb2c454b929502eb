/**
 * Places that are bound to the browser in which they were taken (`rooms[].device_binding`). The browser keeps a private key that no
 * script can read; the ticket names its thumbprint, and only a visitor who signs with it gets a login for the place. Nothing of it is in the store.
 */
import type { Context } from "koa";
import type { Clock } from "../../lib/clock-and-random.ts";
import { UsherError } from "../../lib/errors.ts";
import {
  decodeNumber,
  encodeNumber,
  type KeyRing,
  readSigned,
  type Ticket,
  type WaitingRoom,
} from "../../room/index.ts";
import { freshStart } from "../gate/authorization-request.ts";
import type { ClaimAttempt, DeviceNeeded, JoinAttempt, LoginAttempt, Refusal } from "../gate/contract.ts";
import { deviceMaxAgeSec, type VisitorCookies } from "../gate/visitor-cookies.ts";
import { createDeviceProofs, purposeOf } from "./device-proofs.ts";

const passMs = deviceMaxAgeSec * 1_000;
const passMax = 256;
const passContext = "usher device pass v1";

interface Parts {
  readonly issuer: string;
  readonly ring: KeyRing;
  readonly cookies: Pick<VisitorCookies, "device">;
  readonly clock: Clock;
}

export type Devices = ReturnType<typeof createDevices>;

export function createDevices({ issuer, ring, cookies, clock }: Parts) {
  const proofs = createDeviceProofs(ring, clock);

  const isOptional = (room: WaitingRoom) => room.deviceBinding === "offered";
  const note = (room: WaitingRoom, outcome: "asked" | "proven" | "without" | "stale" | "forged" | "other") =>
    room.emit("visitor.device", { outcome });

  /**
   * @param address of the login or link that the proof is for, path and query; null for an app's request
   * @param ticket whose place is bound to a key; null: of a visitor without a place
   */
  function ask(room: WaitingRoom, address: string | null, ticket: Ticket | null): DeviceNeeded {
    note(room, "asked");
    const nonce = proofs.nonceFor(room, purposeOf(room, address));
    return { nonce, isOptional: ticket === null && isOptional(room) };
  }

  /** The browser's recent proof; null for none. An empty thumbprint: the browser continues without a key. */
  function readPass(ctx: Context, room: WaitingRoom) {
    const token = cookies.device(room.id).read(ctx.req);
    const [ofRoom, purpose = "", thumbprint = "", expires] = readSigned(ring, passContext, token, passMax);
    return ofRoom === room.name && clock.now() < decodeNumber(expires) ? { purpose, thumbprint } : null;
  }

  function keepPass(ctx: Context, room: WaitingRoom, purpose: string, thumbprint: string): void {
    const fields = [room.name, purpose, thumbprint, encodeNumber(clock.now() + passMs)];
    cookies.device(room.id).set(ctx.res, ring.sign(passContext, fields.join("~")));
  }

  /** Whether a login with this ticket takes a proof. A rehearsal's crowd has no keys. */
  function needsProof(room: WaitingRoom, { device, position }: Ticket): boolean {
    if (room.deviceBinding === "none") return false;
    if (device !== undefined) return true;
    return room.deviceBinding === "required" && position > 0 && room.settings.rehearsal !== true;
  }

  /** The ticket of a visitor with this key: a place that was bound to none, because nobody asked then, is from now on. */
  function bind(room: WaitingRoom, ticket: Ticket, thumbprint: string): Ticket | "other_device" {
    const { device } = ticket;
    if (device === undefined) return { ...ticket, device: thumbprint };
    if (device === thumbprint) return ticket;
    note(room, "other");
    return "other_device";
  }

  /** Whose key an app has shown by the header `DPoP`; null where it has shown none that counts. */
  async function readHeader(ctx: Context, room: WaitingRoom): Promise<string | null> {
    const proof = ctx.get("DPoP");
    if (proof === "") return null;
    const read = await proofs.read(room, proof, `${issuer}${ctx.path}`);
    const isForPurpose = typeof read === "object" && read.purpose === purposeOf(room, null);
    note(room, isForPurpose ? "proven" : read === "forged" ? "forged" : "stale");
    return isForPurpose ? read.thumbprint : null;
  }

  /** @param ticket whose place is bound to a key; null: of a visitor without a place */
  function proofFirst(ctx: Context, room: WaitingRoom, ticket: Ticket | null): Refusal {
    return {
      page: (address) => ({
        status: 403,
        code: "device_required",
        device: ask(room, address, ticket),
        returnTo: address,
        stampsArrival: ticket === null,
      }),
      error: () => appRefusal(ctx, room),
    };
  }

  /** What answers an app that has shown no key: a nonce to be signed (RFC 9449, section 9). */
  function appRefusal(ctx: Context, room: WaitingRoom): UsherError {
    const { nonce } = ask(room, null, null);
    ctx.set("DPoP-Nonce", nonce);
    ctx.set("WWW-Authenticate", `DPoP realm="${room.id}", error="use_dpop_nonce", algs="ES256"`);
    const message = "this room binds places to a key: send a DPoP proof for this request, with this nonce";
    return new UsherError("device_required", message, { status: 401, members: { dpop_nonce: nonce } });
  }

  function otherDevice(ticket: Ticket): Refusal {
    return {
      page: (address) => ({ status: 200, code: "other_device", returnTo: freshStart(address), place: ticket }),
      error: () => new UsherError("other_device", "this place is bound to another key than the one that signed"),
    };
  }

  /** The thumbprint of the key that a join has shown; null where it goes on without one, undefined where it may not. */
  async function keyOfJoin({ ctx, room, readPresented }: JoinAttempt): Promise<string | null | undefined> {
    if (readPresented !== undefined) {
      const thumbprint = await readHeader(ctx, room);
      const isNeeded = thumbprint === null && (ctx.get("DPoP") !== "" || !isOptional(room));
      return isNeeded ? undefined : thumbprint;
    }
    const pass = readPass(ctx, room);
    if (pass === null || (pass.thumbprint === "" && !isOptional(room))) return undefined;
    return pass.thumbprint || null;
  }

  /** The ticket will name the key. Another key makes a new visitor: else a copied ticket could join under the same `sub`, and use the admission of the visitor it came from. */
  function bindJoin(join: JoinAttempt, thumbprint: string | null): null {
    const { previous, room } = join;
    if (previous !== null && previous.device !== (thumbprint ?? undefined)) {
      join.previous = { ...previous, sub: room.visitorWithoutPlace().sub };
    }
    if (thumbprint !== null) join.additions = { device: thumbprint };
    return null;
  }

  async function requireKey(join: JoinAttempt): Promise<Refusal | null> {
    const thumbprint = await keyOfJoin(join);
    return thumbprint === undefined ? proofFirst(join.ctx, join.room, null) : bindJoin(join, thumbprint);
  }

  async function requireProof(login: LoginAttempt): Promise<Refusal | null> {
    const { ctx, room, ticket, by, address } = login;
    const thumbprint =
      by === "app" ? await readHeader(ctx, room) : by === "page" ? keyOfPage(ctx, room, address) : null;
    if (thumbprint === null) return proofFirst(ctx, room, ticket);
    const bound = bind(room, ticket, thumbprint);
    if (bound === "other_device") return otherDevice(ticket);
    login.ticket = bound;
    return null;
  }

  /** What the browser has just shown for this login or link. */
  function keyOfPage(ctx: Context, room: WaitingRoom, address: string): string | null {
    const pass = readPass(ctx, room);
    const isForPurpose = pass !== null && pass.thumbprint !== "" && pass.purpose === purposeOf(room, address);
    return isForPurpose ? pass.thumbprint : null;
  }

  return {
    /** The browser or app shows its key before it gets a place. */
    beforeJoin(join: JoinAttempt): Promise<Refusal | null> | null {
      const { room, isExempt } = join;
      const isBound = !isExempt && room.deviceBinding !== "none" && room.entrance === "line";
      return isBound ? requireKey(join) : bindJoin(join, null);
    },

    /** A login for a bound place takes a proof that was made for it. */
    beforeLogin(login: LoginAttempt): Promise<Refusal | null> | null {
      return needsProof(login.room, login.ticket) ? requireProof(login) : null;
    },

    /**
     * A claim without a login takes a proof, too, of a browser the last one, whatever that was made for.
     *
     * @throws UsherError `device_required`, `other_device`
     */
    async beforeClaim({ ctx, room, ticket, isApp }: ClaimAttempt): Promise<void> {
      if (!needsProof(room, ticket)) return;
      const thumbprint = isApp ? await readHeader(ctx, room) : readPass(ctx, room)?.thumbprint || null;
      if (thumbprint === null && isApp) throw appRefusal(ctx, room);
      if (thumbprint === null)
        throw new UsherError("device_required", "show first that this browser has the place's key");
      if (bind(room, ticket, thumbprint) !== "other_device") return;
      if (isApp) throw otherDevice(ticket).error();
      throw new UsherError("other_device", "this place is bound to the key of another browser");
    },

    /** Takes a proof that our own page made for what the visitor came for. Whether it counts; then the browser has a pass. */
    async prove(ctx: Context, room: WaitingRoom, proof: string): Promise<boolean> {
      const read = await proofs.read(room, proof, `${issuer}${ctx.path}`);
      note(room, typeof read === "string" ? read : "proven");
      if (typeof read === "string") return false;
      keepPass(ctx, room, read.purpose, read.thumbprint);
      return true;
    },

    /** For a browser that can show no proof. Whether the room lets it go on. */
    goWithout(ctx: Context, room: WaitingRoom): boolean {
      if (!isOptional(room)) return false;
      note(room, "without");
      keepPass(ctx, room, purposeOf(room, null), "");
      return true;
    },
  };
}
