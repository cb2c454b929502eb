/**
 * The waiting room itself: places in line as signed tickets, joins, claims, what a process remembers
 * of a room, recovery after a loss. It knows no HTTP, no OpenID Connect and no Redis; it speaks to a
 * `RoomStore`. `oidc/` and `http/` call `WaitingRooms`; `app.ts` wires it.
 */
export type {
  AdaptiveState,
  Admission,
  AdmissionEnd,
  BasePhase,
  JoinRate,
  RoomSettings,
  RoomSettingsPatch,
  RoomState,
} from "../store/room-store.ts";
export { type ArrivalStamps, createArrivalStamps } from "./arrival-stamp.ts";
export { type BypassLink, type BypassLinks, createBypassLinks } from "./bypass-link.ts";
export { type AtTheDoor, atTheDoor, claimedTicket, mayAsk, withoutOldPlace } from "./door.ts";
export type { Beacon, DrawSource } from "./draw/draw-source.ts";
export { type EndedLogin, loginToTell } from "./ended-login.ts";
export type { RoomEvents } from "./events.ts";
export { createHighWaterFile } from "./high-water.ts";
export { isInterruption } from "./interruptions.ts";
export { createKeyRing, type KeyRing } from "./key-ring.ts";
export { peopleWaiting } from "./line.ts";
export {
  findRequest,
  hashRequest,
  isSuperseded,
  maxRestartsInARow,
  nameSeries,
  rememberRequest,
  type SeenRequest,
} from "./login-request.ts";
export { type CameBy, createMoveLinks, type MoveLink, type MoveLinks, moveLinkValidMs } from "./move-link.ts";
export { type Pace, paceOf } from "./pace.ts";
export type { PlaceStatus } from "./place-status.ts";
export { pollGuidance } from "./poll-guidance.ts";
export { admissionStatuses } from "./room-admissions.ts";
export type { LogExtent } from "./room-log.ts";
export { messageIn, messageOf, type RoomMessage } from "./room-message.ts";
export { createWaitingRooms, type KeptRooms, onlyRooms, type RoomOptions, type WaitingRooms } from "./rooms.ts";
export { phasesBefore } from "./schedule.ts";
export {
  createTicketCodec,
  numberOf,
  type Ticket,
  withoutPlace,
} from "./ticket.ts";
export { type EnterResult, WaitingRoom } from "./waiting-room.ts";
