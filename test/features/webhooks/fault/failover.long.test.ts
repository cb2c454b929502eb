// Long: fails over three times; webhook-failover.test.ts once.
import { describeWebhookFailover } from "./failover.ts";

describeWebhookFailover({ isShort: false });
