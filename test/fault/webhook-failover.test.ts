import { describeWebhookFailover } from "./webhook-failover.ts";

describeWebhookFailover({ isShort: true });
