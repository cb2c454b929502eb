import { describeReshard } from "./reshard.ts";

describeReshard({ gateways: 1, byTool: false, spellMs: 500, asProcess: false });
