/**
 * Events: what happens, as CloudEvents, for readers of streams and for features. The script that made a change has recorded it in the store;
 * here a process learns of it and passes it on.
 */

export type { CloudEvent, Happening, Line } from "./cloud-event.ts";
export { createEvents } from "./create-events.ts";
export { createEventHub, type EventHub } from "./event-hub.ts";
export { createEventStreams, type EventStreams } from "./event-stream.ts";
export { logFault } from "./log-fault.ts";
export type { PastEvents } from "./past-events.ts";
export { Positions } from "./positions.ts";
