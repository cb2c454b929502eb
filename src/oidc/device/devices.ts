/**
 * Places that are bound to the browser in which they were taken (`rooms[].device_binding`). The browser keeps a private key that no
 * script can read; the ticket names its thumbprint, and only a visitor who signs with it gets a login for the place. Nothing of it is in the store.
 */
import type { Context } from "koa";
import type { Clock } from "../../lib/clock.ts";
import { UsherError } from "../../lib/errors.ts";
import {
  decodeNumber,
  encodeNumber,
  type KeyRing,
  readSigned,
  type Ticket,
  type WaitingRoom,
} from "../../room/index.ts";
import { deviceMaxAgeSec, type VisitorCookies } from "../gate/visitor-cookies.ts";
import { createDeviceProofs, purposeOf } from "./device-proofs.ts";

const passMs = deviceMaxAgeSec * 1_000;
const passMax = 256;
const passContext = "usher device pass v1";

/** The visitor has to show a proof first, for this nonce. */
export interface DeviceNeeded {
  readonly nonce: string;
  /** Whether a browser that can show none goes on without. */
  readonly isOptional: boolean;
}

/** A join may go on, and the place is bound to this key; null: to none. */
export interface DeviceKnown {
  readonly thumbprint: string | null;
}

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
   * @param address of the login or link that the proof is asked for, path and query; null: what an app asks
   * @param ticket whose place is bound to a key; null: of a visitor without a place
   */
  function ask(room: WaitingRoom, address: string | null, ticket: Ticket | null): DeviceNeeded {
    note(room, "asked");
    const nonce = proofs.nonceFor(room, purposeOf(room, address));
    return { nonce, isOptional: ticket === null && isOptional(room) };
  }

  /** What this browser has shown lately; null for nothing. An empty thumbprint: it goes on without a key. */
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
  function isAsked(room: WaitingRoom, { device, position }: Ticket): boolean {
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
    const isMeant = typeof read === "object" && read.purpose === purposeOf(room, null);
    note(room, isMeant ? "proven" : read === "forged" ? "forged" : "stale");
    return isMeant ? read.thumbprint : null;
  }

  /** What answers an app that has shown no key: a nonce to be signed (RFC 9449, section 9). */
  function appRefusal(ctx: Context, room: WaitingRoom): UsherError {
    const { nonce } = ask(room, null, null);
    ctx.set("DPoP-Nonce", nonce);
    ctx.set("WWW-Authenticate", `DPoP realm="${room.id}", error="use_dpop_nonce", algs="ES256"`);
    const message = "this room binds places to a key: send a DPoP proof for this request, with this nonce";
    return new UsherError("device_required", message, { status: 401, members: { dpop_nonce: nonce } });
  }

  async function ofApp(ctx: Context, room: WaitingRoom, ticket: Ticket): Promise<Ticket> {
    if (!isAsked(room, ticket)) return ticket;
    const thumbprint = await readHeader(ctx, room);
    if (thumbprint === null) throw appRefusal(ctx, room);
    const bound = bind(room, ticket, thumbprint);
    if (bound !== "other_device") return bound;
    throw new UsherError("other_device", "this place is bound to another key than the one that signed");
  }

  return {
    isAsked,

    /** Null where nothing is asked, which costs nothing. Else what stands in the way of a join, or the key it is bound to. */
    async ofJoin(ctx: Context, room: WaitingRoom, isApp: boolean): Promise<DeviceKnown | "device" | null> {
      if (room.deviceBinding === "none" || room.entrance !== "line") return null;
      if (isApp) {
        const thumbprint = await readHeader(ctx, room);
        const isNeeded = thumbprint === null && (ctx.get("DPoP") !== "" || !isOptional(room));
        return isNeeded ? "device" : { thumbprint };
      }
      const pass = readPass(ctx, room);
      if (pass === null || (pass.thumbprint === "" && !isOptional(room))) return "device";
      return { thumbprint: pass.thumbprint || null };
    },

    ask,
    appRefusal,

    /**
     * Whether the visitor of this login or link has the key of the ticket, by what the browser has just shown for it.
     *
     * @returns the ticket, bound to it
     */
    ofLogin(ctx: Context, room: WaitingRoom, ticket: Ticket, address: string): Ticket | "device" | "other_device" {
      if (!isAsked(room, ticket)) return ticket;
      const pass = readPass(ctx, room);
      if (pass === null || pass.thumbprint === "" || pass.purpose !== purposeOf(room, address)) return "device";
      return bind(room, ticket, pass.thumbprint);
    },

    /** The same of an app. @throws UsherError `device_required`, `other_device` */
    ofApp,

    /**
     * Whether the maker of a claim without a login has the key: judged by the browser's last proof, whatever that was made for.
     *
     * @throws UsherError `device_required`, `other_device`
     */
    async ofClaim(ctx: Context, room: WaitingRoom, ticket: Ticket, isApp: boolean): Promise<void> {
      if (!isAsked(room, ticket)) return;
      if (isApp) return void (await ofApp(ctx, room, ticket));
      const thumbprint = readPass(ctx, room)?.thumbprint ?? "";
      if (thumbprint === "")
        throw new UsherError("device_required", "show first that this browser has the place's key");
      if (bind(room, ticket, thumbprint) === "other_device")
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
