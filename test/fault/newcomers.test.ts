import { describeNewcomers } from "./newcomers.ts";

describeNewcomers({ count: 20, arriveForMs: 2_000, asProcess: false });
