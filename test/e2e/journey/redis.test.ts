import { redisStore } from "../redis-store.ts";
import { describeJourney } from "./suite.ts";

describeJourney(redisStore, ["codes", "authorization requests", "login restart", "sessions", "silent logins"]);
