import { memoryStore } from "../world.ts";
import { describeJourney } from "./suite.ts";

describeJourney(memoryStore, ["login", "rooms", "leaving", "logout", "phases", "claiming"]);
