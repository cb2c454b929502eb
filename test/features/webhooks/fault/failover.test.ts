import { describeWebhookFailover } from "./failover.ts";

describeWebhookFailover({ isShort: true });
