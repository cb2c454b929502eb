import { createPrivateKey, type KeyObject, sign } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Draw, EntryVoid, RoomState } from "../../store/contract/room-store.ts";
import {
  createReceiptKey,
  type DrawDocument,
  type DrawFacts,
  type DrawOwner,
  drawRecipe,
  type PublishedBeacon,
  type PublishedDraw,
  type PublishedVoid,
  publishDraw,
  publishedMs,
  type ReceiptKey,
  receiptSeedOf,
  signReceipt,
} from "../draw-recipe/index.ts";
import type { SyncedRoom } from "../replica/synced-room.ts";
import { numberOf, type Ticket } from "../tickets/ticket.ts";
import { closesMs, isFixed, participantsOf, roundOf } from "./draw-figures.ts";
import { type DrawSource, secretOf } from "./draw-source.ts";
import { isUndrawn, takesIn, voidOf } from "./entries.ts";

/** Of an edition there are at most 16, and what is published of one changes a few times. */
const publishedMax = 64;

export type RoomDraws = ReturnType<typeof createRoomDraws>;

/**
 * What is public of a room's draws, and what each visitor has in hand of it.
 *
 * @param source null where nothing is known of draws
 */
export function createRoomDraws(room: SyncedRoom, source: DrawSource | null) {
  const receiptKeys = new Map<string, ReceiptKey>();
  /** By what they say. */
  const published = new LRUCache<string, PublishedDraw>({ max: publishedMax });
  let cached: { readonly of: RoomState; readonly document: DrawDocument } | null = null;

  return {
    /** How those are put in order who come before the opening that is under way or next. */
    get order(): "random" | "arrival" {
      return room.state === null ? "arrival" : orderOf(room.state);
    },

    /** The draw to come, under way, or last of this edition; null for none. */
    get current(): Draw | null {
      return room.state?.draws.at(-1) ?? null;
    },

    /** Whether a draw that has begun is to be drawn with a key that this process does not have; its id. */
    get withoutKey(): string | null {
      if (source === null) return null;
      const draw = room.state?.draws.find(
        (candidate) =>
          isUndrawn(candidate) &&
          candidate.first > 0 &&
          candidate.keyId !== "" &&
          secretOf(source, candidate) === undefined,
      );
      return draw?.keyId ?? null;
    },

    /** The public part; null before the first sync. Made once for each state. */
    document(): DrawDocument | null {
      const { state } = room;
      if (state === null || source === null) return null;
      if (cached?.of !== state) cached = { of: state, document: makeDocument(state, source) };
      return cached.document;
    },

    /** A signed text that says what was drawn, or is to be, for the visitor; null where the ticket is no entry of a draw. */
    receiptFor(presented: Ticket): string | null {
      const { replica, state } = room;
      const placed = replica.place(presented);
      const { sub, edition, position, entry } = placed;
      // A visitor whose place was moved to another holds it no more.
      if (replica.isElsewhere(placed)) return null;
      const number = numberOf({ position, entry: entry ?? null });
      if (state === null || source === null || number === 0 || edition !== state.edition) return null;
      const draw = state.draws.find(
        (one) => one.commitment !== "" && one.stage !== "cancelled" && takesIn(one, number),
      );
      const key = draw && receiptKeyOf(source, draw);
      if (draw === undefined || key === undefined) return null;
      const { commitment, chain } = draw;
      const voided = voidOf(state, placed);
      // What is announced before the opening moves with it.
      const round = draw.closesMs > 0 ? roundOf(state, draw) : null;
      return signReceipt(key, {
        iss: source.issuer,
        sub,
        room: room.id,
        edition,
        draw: draw.id,
        entry: number,
        commitment,
        beacon: draw.usesBeacon && chain !== null ? { chain: chain.hash, round } : null,
        iat: Math.floor(state.nowMs / 1_000),
        ...(voided !== null && { voided: { reference: voided.reference, reason: voided.reason } }),
        ...(replica.holderOf(placed) === sub && { moved: true }),
        ...(draw.stage === "drawn" &&
          voided === null && { entries: replica.orders.orderOf(state, draw).entries, position }),
      });
    },
  };

  function makeDocument(state: RoomState, source: DrawSource): DrawDocument {
    const owner = { issuer: source.issuer, room: room.id, edition: state.edition };
    return {
      ...owner,
      order: orderOf(state),
      draws: state.draws.flatMap((draw) => publish(owner, state, source, draw) ?? []),
      recipe: drawRecipe,
      updated_at: new Date(state.nowMs).toISOString(),
    };
  }

  /** Undefined where nothing is committed to, or nobody has the key any more. */
  function publish(owner: DrawOwner, state: RoomState, source: DrawSource, draw: Draw): PublishedDraw | undefined {
    const key = draw.commitment === "" ? undefined : receiptKeyOf(source, draw);
    if (key === undefined) return undefined;
    const facts = factsOf(state, draw);
    const text = JSON.stringify([owner, facts]);
    const signed = published.get(text) ?? publishDraw(key, owner, facts);
    published.set(text, signed);
    return signed;
  }

  function receiptKeyOf(source: DrawSource, draw: Draw): ReceiptKey | undefined {
    const cachedKey = receiptKeys.get(draw.keyId);
    const secret = cachedKey ? undefined : secretOf(source, draw);
    if (secret === undefined) return cachedKey;
    const seed = receiptSeedOf(secret);
    const privateKey = toPrivateKey(seed);
    const key = createReceiptKey(seed, (message) => sign(null, message, privateKey));
    receiptKeys.set(draw.keyId, key);
    return key;
  }
}

function orderOf({ basePhase, draws, settings }: RoomState): "random" | "arrival" {
  if (basePhase === "idle" || basePhase === "ended") return settings.effective.draw.order;
  return draws.length > 0 ? "random" : "arrival";
}

function factsOf(state: RoomState, draw: Draw): DrawFacts {
  const { id, stage, commitment, first, last, seed } = draw;
  return {
    id,
    stage,
    commitment,
    first: first === 0 ? null : first,
    last: isFixed(draw) ? last : null,
    gaps: draw.gaps.map(({ from, to }) => [from, to] as const),
    voids: state.voids.filter((entryVoid) => entryVoid.draw === id).map(publishedVoid),
    entries: isFixed(draw) ? participantsOf(state, draw) : null,
    opens_at: toIso(stage === "committed" ? state.settings.effective.schedule.opensAtMs : null),
    closes_at: toIso(closesMs(state, draw)),
    seed: seed === "" ? null : seed,
    beacon: beaconOf(state, draw),
  };
}

/** Without the blocks, which say something of addresses to those who have the key. */
function publishedVoid({ reference, reason, atMs, restoredMs, numbers }: EntryVoid): PublishedVoid {
  return {
    reference,
    reason,
    at: new Date(atMs).toISOString(),
    restored_at: restoredMs === 0 ? null : toIso(restoredMs),
    numbers: numbers.map(({ from, to }) => [from, to] as const),
  };
}

function beaconOf(state: RoomState, draw: Draw): PublishedBeacon | null {
  const { chain, beacon } = draw;
  if (!draw.usesBeacon || chain === null) return null;
  const round = roundOf(state, draw);
  return {
    chain: chain.hash,
    public_key: chain.publicKey,
    genesis: chain.genesisSec,
    period: chain.periodSec,
    round,
    published_at: round === null ? null : toIso(publishedMs(chain, round)),
    signature: beacon?.signature ?? null,
    randomness: beacon?.randomness ?? null,
    fallback: draw.stage === "drawn" && beacon === null ? "unavailable" : null,
  };
}

function toIso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

/** The head of an Ed25519 private key in PKCS #8 (RFC 8410, section 7), which its 32 bytes follow. */
const pkcs8Head = Buffer.from("302e020100300506032b657004220420", "hex");

function toPrivateKey(seed: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([pkcs8Head, seed]), format: "der", type: "pkcs8" });
}
