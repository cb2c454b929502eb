/**
 * The settings of a room, as the store keeps them. Their types follow from the schema in src/config, which alone says what each is and
 * may be. Types only; part of the contract in room-store.ts.
 */
import type { RoomSettings, RoomSettingsPatch } from "../../config/index.ts";

export type { RoomSettings, RoomSettingsPatch };

/** A phase that the schedule or an operator puts a room into; see core/phases.ts. */
export type BasePhase = "idle" | "prequeue" | "open" | "ended" | "passthrough";

/** `paused` while something holds the room. */
export type Phase = BasePhase | "paused";

/**
 * What holds a room. `recovered`: nobody remembered the room (see recovery); in any phase. `operator`: in prequeue and
 * open. `alarm` (an operator's or a monitor's), `unhealthy` (the gate's health URL fails) and `signal` (the site of an `adaptive`
 * inlet has said `off`): while open. `sold_out` (the stock is 0, or the message says so): in prequeue and open.
 */
export type HoldReason = "recovered" | "sold_out" | "operator" | "alarm" | "unhealthy" | "signal";

/**
 * The first reason that holds the room, in the order of `HoldReason`; null where nothing does. The
 * phase is `paused` then, or `ended` where everything is sold and nothing is returned. To visitors a site
 * that says that it has too much to do is `unhealthy`, too.
 */
export type PhaseReason = Exclude<HoldReason, "signal"> | null;

/** Settings as kept in the room's state: `effective` is `file` with `live` over it. */
export interface StoredSettings {
  readonly effective: RoomSettings;
  readonly file: RoomSettings;
  readonly live: RoomSettingsPatch;
}

export type InletSettings = RoomSettings["inlet"];
export type InletType = InletSettings["type"];
export type SharedOutflow = NonNullable<InletSettings["sharedOutflow"]>;
export type HealthGate = NonNullable<InletSettings["gate"]>;
export type Schedule = RoomSettings["schedule"];
/** What a phase without a line shows: a page, the site itself, or the page at an address to which visitors are sent. */
export type WithoutLine = RoomSettings["whenIdle"];
export type RoomLink = NonNullable<RoomSettings["links"]>[number];
export type NextSale = NonNullable<RoomSettings["nextSale"]>;
/** The operator's words to everyone in the room. */
export type RoomMessage = NonNullable<RoomSettings["message"]>;
export type MessageText = RoomMessage["texts"][number];
export type StockSettings = NonNullable<RoomSettings["stock"]>;
export type DrawSettings = RoomSettings["draw"];
/** How many may join from one address. */
export type JoinLimit = NonNullable<RoomSettings["joinsPerAddress"]>;
export type JoinRate = Pick<JoinLimit, "perMinute" | "burst">;
export type JoinLimitOfRange = NonNullable<JoinLimit["ranges"]>[number];
export type AddressRule = NonNullable<RoomSettings["addressRules"]>[number];
/** What is asked of a visitor before a place is given. */
export type CheckSettings = NonNullable<RoomSettings["check"]>;
export type DeviceBinding = NonNullable<RoomSettings["deviceBinding"]>;
export type MoveRule = NonNullable<RoomSettings["moves"]>;
