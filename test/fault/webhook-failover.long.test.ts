// Long: fails over three times; webhook-failover.test.ts once.
import { describeWebhookFailover } from "./webhook-failover.ts";

describeWebhookFailover({ isShort: false });
