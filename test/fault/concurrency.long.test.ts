// Long: two processes and thousands of requests; concurrency.test.ts has hundreds, in one process.
import { describeAtOnce } from "./concurrency.ts";

describeAtOnce({ joins: 2_000, tickets: 100, asProcess: true });
