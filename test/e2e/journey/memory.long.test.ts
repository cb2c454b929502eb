// Long: the quick test has the same cases on Redis.
import { memoryStore } from "../world.ts";
import { describeJourney } from "./suite.ts";

describeJourney(memoryStore);
