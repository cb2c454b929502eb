import { createPrivateKey, type KeyObject, sign } from "node:crypto";
import { LRUCache } from "lru-cache";
import {
  createReceiptKey,
  type DrawDocument,
  type DrawFacts,
  type DrawOwner,
  drawRecipe,
  type PublishedBeacon,
  type PublishedDraw,
  publishDraw,
  publishedMs,
  type ReceiptKey,
  receiptSeedOf,
  roundOfDraw,
  signReceipt,
} from "../../draw/index.ts";
import type { Draw, RoomState } from "../../store/contract/room-store.ts";
import type { SyncedRoom } from "../replica/synced-room.ts";
import { numberOf, type Ticket } from "../tickets/ticket.ts";
import type { DrawSource } from "./draw-source.ts";

/** Milliseconds after the scheduled opening during which entries are taken. */
const entriesAfterMs = 5_000;
/** Of an edition there are at most 16, and what is published of one changes a few times. */
const publishedMax = 64;

/** What is public of a room's draws, and what each visitor has in hand of it. */
export class RoomDraws {
  readonly #room: SyncedRoom;
  readonly #source: DrawSource | null;
  readonly #receiptKeys = new Map<string, ReceiptKey>();
  #made: { readonly of: RoomState; readonly document: DrawDocument } | null = null;
  /** By what they say. */
  readonly #published = new LRUCache<string, PublishedDraw>({ max: publishedMax });

  /** @param source null where nothing is known of draws */
  constructor(room: SyncedRoom, source: DrawSource | null) {
    this.#room = room;
    this.#source = source;
  }

  /** How those are put in order who come before the opening that is under way or next. */
  get order(): "random" | "arrival" {
    const { state } = this.#room;
    if (state === null) return "arrival";
    const hasBegun = state.basePhase !== "idle" && state.basePhase !== "ended";
    if (hasBegun && this.current !== null) return "random";
    return hasBegun ? "arrival" : state.settings.effective.draw.order;
  }

  /** The draw to come, under way, or last of this edition; null for none. */
  get current(): Draw | null {
    return this.#room.state?.draws.at(-1) ?? null;
  }

  /** Whether a draw that has begun is to be drawn with a key that this process does not have; its id. */
  get withoutKey(): string | null {
    if (this.#source === null) return null;
    const kids = new Set(this.#source.keys().map(({ kid }) => kid));
    const draw = this.#room.state?.draws.find(
      ({ stage, first, keyId }) =>
        stage !== "drawn" && stage !== "cancelled" && first > 0 && keyId !== "" && !kids.has(keyId),
    );
    return draw?.keyId ?? null;
  }

  /** The public part; null before the first sync. Made once for each state. */
  document(): DrawDocument | null {
    const { state } = this.#room;
    if (state === null || this.#source === null) return null;
    if (this.#made?.of !== state) this.#made = { of: state, document: this.#makeDocument(state, this.#source) };
    return this.#made.document;
  }

  #makeDocument(state: RoomState, source: DrawSource): DrawDocument {
    const owner = { issuer: source.issuer, room: this.#room.id, edition: state.edition };
    return {
      ...owner,
      order: this.order,
      draws: state.draws.flatMap((draw) => this.#publish(owner, state, draw) ?? []),
      recipe: drawRecipe,
      updated_at: new Date(state.nowMs).toISOString(),
    };
  }

  /** A signed text that says what was drawn, or is to be, for the visitor; null where the ticket is no entry of a draw. */
  receiptFor(presented: Ticket): string | null {
    const { id: room, replica, state } = this.#room;
    const source = this.#source;
    const placed = replica.place(presented);
    const { sub, edition, position, entry } = placed;
    // A visitor whose place was moved to another holds it no more.
    if (replica.isElsewhere(placed)) return null;
    const number = numberOf({ position, entry: entry ?? null });
    if (state === null || source === null || number === 0 || edition !== state.edition) return null;
    const draw = state.draws.find((one) => isEntryOf(one, number));
    const key = draw && this.#receiptKey(draw);
    if (draw === undefined || key === undefined) return null;
    const { commitment, chain } = draw;
    // What is announced before the opening moves with it.
    const round = draw.closesMs > 0 ? this.#roundOf(state, draw) : null;
    return signReceipt(key, {
      iss: source.issuer,
      sub,
      room,
      edition,
      draw: draw.id,
      entry: number,
      commitment,
      beacon: draw.usesBeacon && chain !== null ? { chain: chain.hash, round } : null,
      iat: Math.floor(state.nowMs / 1_000),
      ...(replica.holderOf(placed) === sub && { moved: true }),
      ...(draw.stage === "drawn" && { entries: replica.orders.orderOf(state, draw).entries, position }),
    });
  }

  /** Undefined where nothing is committed to, or nobody has the key any more. */
  #publish(owner: DrawOwner, state: RoomState, draw: Draw): PublishedDraw | undefined {
    const key = draw.commitment === "" ? undefined : this.#receiptKey(draw);
    if (key === undefined) return undefined;
    const facts = this.#factsOf(state, draw);
    const text = JSON.stringify([owner, facts]);
    const known = this.#published.get(text);
    if (known !== undefined) return known;
    const published = publishDraw(key, owner, facts);
    this.#published.set(text, published);
    return published;
  }

  #factsOf(state: RoomState, draw: Draw): DrawFacts {
    const { id, stage, commitment, first, last, seed } = draw;
    const isClosed = stage === "closed" || stage === "drawn";
    const missing = draw.gaps.reduce((sum, { from, to }) => sum + to - from + 1, 0);
    const { opensAtMs } = state.settings.effective.schedule;
    return {
      id,
      stage,
      commitment,
      first: first === 0 ? null : first,
      last: isClosed ? last : null,
      gaps: draw.gaps.map(({ from, to }) => [from, to] as const),
      entries: isClosed ? last - first + 1 - missing : null,
      opens_at: isToCome(draw) ? toIso(opensAtMs) : null,
      closes_at: toIso(this.#closesMs(state, draw)),
      seed: seed === "" ? null : seed,
      beacon: this.#beaconOf(state, draw),
    };
  }

  /** When entries are no longer taken, as far as that can be said; now (ms). */
  #closesMs({ settings }: RoomState, draw: Draw): number | null {
    if (draw.closesMs > 0) return draw.closesMs;
    const { opensAtMs } = settings.effective.schedule;
    return isToCome(draw) && opensAtMs !== null ? opensAtMs + entriesAfterMs : null;
  }

  #roundOf(state: RoomState, draw: Draw): number | null {
    const closesMs = this.#closesMs(state, draw);
    const { usesBeacon, chain } = draw;
    return !usesBeacon || chain === null || closesMs === null ? null : roundOfDraw(chain, closesMs);
  }

  #beaconOf(state: RoomState, draw: Draw): PublishedBeacon | null {
    const { chain } = draw;
    if (!draw.usesBeacon || chain === null) return null;
    const round = this.#roundOf(state, draw);
    return {
      chain: chain.hash,
      public_key: chain.publicKey,
      genesis: chain.genesisSec,
      period: chain.periodSec,
      round,
      published_at: round === null ? null : toIso(publishedMs(chain, round)),
      signature: draw.beacon?.signature ?? null,
      randomness: draw.beacon?.randomness ?? null,
      fallback: draw.stage === "drawn" && draw.beacon === null ? "unavailable" : null,
    };
  }

  #receiptKey({ keyId }: Draw): ReceiptKey | undefined {
    const known = this.#receiptKeys.get(keyId);
    if (known !== undefined) return known;
    const secret = this.#source?.keys().find(({ kid }) => kid === keyId)?.secret;
    if (secret === undefined) return undefined;
    const seed = receiptSeedOf(secret);
    const privateKey = toPrivateKey(seed);
    const key = createReceiptKey(seed, (message) => sign(null, message, privateKey));
    this.#receiptKeys.set(keyId, key);
    return key;
  }
}

function isToCome({ stage }: Draw): boolean {
  return stage === "committed";
}

function isEntryOf({ commitment, stage, first, last }: Draw, number: number): boolean {
  return commitment !== "" && stage !== "cancelled" && first > 0 && number >= first && (last === 0 || number <= last);
}

function toIso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

/** The head of an Ed25519 private key in PKCS #8 (RFC 8410, section 7), which its 32 bytes follow. */
const pkcs8Head = Buffer.from("302e020100300506032b657004220420", "hex");

function toPrivateKey(seed: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([pkcs8Head, seed]), format: "der", type: "pkcs8" });
}
