// Long: the quick test has the same cases on Redis, with two gateways.
import { memoryStore } from "../world.ts";
import { describeBrands } from "./suite.ts";

describeBrands(memoryStore, 1);
