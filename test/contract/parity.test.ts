import { describeParity } from "./parity.contract.ts";

describeParity(8);
