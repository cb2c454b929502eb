// Long: fails over three times; failover.test.ts once.
import { describeWebhookFailover } from "./failover.ts";

describeWebhookFailover({ isShort: false });
