import { redisStore } from "../redis-store.ts";
import { describeJourney } from "./suite.ts";

describeJourney(redisStore);
