/**
 * Events: what happens is told as CloudEvents, to readers that listen and to webhooks. The store has told it already, in the script that
 * made the change; here a process learns of it and passes it on. `http/` has the routes, `app.ts` starts it.
 */

export type { SendResult } from "../../lib/send.ts";
export type { CloudEvent, Happening, Line } from "./cloud-event.ts";
export { createEvents } from "./create-events.ts";
export { createEventHub, type EventHub } from "./event-hub.ts";
export { createEventStreams, type EventStreams } from "./event-stream.ts";
export { logFault } from "./log-fault.ts";
export type { PastEvents } from "./past-events.ts";
export { Positions } from "./positions.ts";
export { WEBHOOK_FORMATS, type Webhook } from "./webhooks/content.ts";
export { readPlace } from "./webhooks/dead-letters.ts";
export type { Deliveries } from "./webhooks/deliveries.ts";
export type { WebhookOfFile } from "./webhooks/file-webhooks.ts";
export { type WebhookEvent, type Webhooks, webhooksName } from "./webhooks/webhooks.ts";
