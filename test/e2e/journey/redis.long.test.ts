// Long: all of it on one store, with what waits for times to pass; each part but these is in a quick file, on one of the stores.
import { redisStore } from "../redis-store.ts";
import { describeJourney } from "./suite.ts";

describeJourney(redisStore);
