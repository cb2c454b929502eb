// Long: walks at random, 200 times.
import { describeParity } from "./parity.contract.ts";

describeParity(200);
