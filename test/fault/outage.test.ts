import { describeOutage, describeStartWithoutStore } from "./outage.ts";

describeOutage({ takeAway: "kill", asProcess: false });
describeStartWithoutStore(false);
