// Long: many people ask two processes; newcomers.test.ts has fewer, in one.
import { describeNewcomers } from "./newcomers.ts";

describeNewcomers({ count: 100, arriveForMs: 4_000, asProcess: true });
