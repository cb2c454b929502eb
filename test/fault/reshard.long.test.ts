// Long: joins for twenty seconds; reshard.test.ts for two.
import { describeReshard } from "./reshard.ts";

describeReshard({ gateways: 2, byTool: true, spellMs: 4_000, asProcess: true });
