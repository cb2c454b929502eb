/**
 * push wakes: visitors who have subscribed are notified by Web Push (RFC 8030, 8291, 8292) that their turn is near, and that it has come,
 * though their phone sleeps. Here is what a push service is told, and by which key; the store keeps the subscriptions and hands each notification to one
 * process. `http/` takes subscriptions, `issuer.ts` builds it.
 */
export { createPushes, type PushWords } from "./pushes.ts";
export { localServices } from "./services.ts";
export {
  readSent,
  type SentSubscription,
  type Subscription,
  subscriptionBytesMax,
  writeSubscription,
} from "./subscription.ts";
export { createVapid, type Vapid } from "./vapid.ts";
