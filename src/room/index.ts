/**
 * room remembers: one process's view of each waiting room. Tickets, joins, claims, the replica of the room's state, its
 * recovery after a loss, operators' steps, draws. It knows no HTTP, no OpenID Connect and no Redis, and calls a `RoomStore`.
 * `oidc/`, `web/` and `operate/` use `WaitingRooms`; `app/` builds them.
 */
export type {
  AdaptiveState,
  AddressRule,
  Admission,
  BasePhase,
  Draw,
  EntryVoid,
  NextSale,
  PushSettlement,
  RoomLink,
  RoomMessage,
  RoomSettings,
  RoomSettingsPatch,
  RoomState,
  TakenPush,
} from "../store/contract/room-store.ts";
export { dueMs, participantsOf } from "./draw/draw-figures.ts";
export type { Beacon, DrawSource } from "./draw/draw-source.ts";
export { voidChangesOf, voidedEntriesOf } from "./draw/entries.ts";
export type { RoomEvents } from "./events.ts";
export {
  entranceOf,
  type Pace,
  paceJson,
  paceOf,
  peopleWaiting,
  phasesBefore,
  redirectOf,
  waitAtPace,
} from "./line.ts";
export * from "./lookup/finding.ts";
export { lookUpVisitor, type VisitorRef } from "./lookup/look-up.ts";
export { admissionStatuses, type EndedLogin, loginOf } from "./operator/room-admissions.ts";
export { messageIn } from "./operator/room-message.ts";
export { createCheckpoints } from "./replica/checkpoints/checkpoints.ts";
export {
  hasCheckpoints,
  isAllRestored,
  isInUse,
  type RoomCopy,
  readRoomCopy,
  writeRestored,
} from "./replica/checkpoints/restored.ts";
export { isInterruption, unlessInterrupted } from "./replica/synced-room.ts";
export {
  createWaitingRooms,
  type OpenRooms,
  onlyRooms,
  type RoomOptions,
  type StoreOfRooms,
  type WaitingRooms,
} from "./rooms.ts";
export type { Forecast } from "./statistics/forecast.ts";
export { openPages } from "./statistics/open-pages.ts";
export { type SoftBlocksSeen, softBlockReasons } from "./statistics/process-counts.ts";
export { type StatisticsRange, type StatisticsStep, statisticsRetentionMs } from "./statistics/room-statistics.ts";
export { syncAtStart } from "./sync-at-start.ts";
export { type BypassLink, type BypassLinks, createBypassLinks } from "./tickets/bypass-link.ts";
export * from "./tickets/move-link.ts";
export { createRehearsalPasses, type RehearsalPasses } from "./tickets/rehearsal-pass.ts";
export * from "./tickets/ticket.ts";
export {
  type ArrivalStamps,
  createArrivalStamps,
  createKeyRing,
  createTicketCodec,
  decodeNumber,
  encodeNumber,
  type KeyRing,
  numberOf,
  readSigned,
  roomOfVisitor,
  type Ticket,
  withoutPlace,
} from "./tickets/ticket.ts";
export {
  createVisitorKeys,
  nameInVisitorId,
  type VisitorKey,
  type VisitorKeys,
} from "./tickets/visitor-key.ts";
export type { AwayAdmission } from "./visitor/away-admissions.ts";
export type { ClaimAnswer } from "./visitor/claims.ts";
export * from "./visitor/claims.ts";
export { createLimitsOfRanges } from "./visitor/join-limits.ts";
export type { JoinResult } from "./visitor/joins.ts";
export {
  drawOf,
  type PlaceStatus,
  pollGuidance,
  pollGuidanceOf,
  type ReportedPlace,
  reportedPlace,
  stateFor,
} from "./visitor/place-status.ts";
export { WaitingRoom } from "./waiting-room.ts";
