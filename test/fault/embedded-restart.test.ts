import { describeEmbeddedRestart } from "./embedded-restart.ts";

describeEmbeddedRestart(["killed"]);
