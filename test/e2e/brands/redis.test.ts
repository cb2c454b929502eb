import { redisStore } from "../redis-store.ts";
import { describeBrands } from "./suite.ts";

describeBrands(redisStore, 2);
