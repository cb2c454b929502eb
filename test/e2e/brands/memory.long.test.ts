import { memoryStore } from "../world.ts";
import { describeBrands } from "./suite.ts";

describeBrands(memoryStore, 1);
