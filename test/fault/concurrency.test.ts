import { describeAtOnce } from "./concurrency.ts";

describeAtOnce({ joins: 100, tickets: 10, asProcess: false });
