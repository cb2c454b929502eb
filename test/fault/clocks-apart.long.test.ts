// Long: starts four processes; clocks-apart.test.ts has one whose clock is ahead.
import { ahead, behind, describeClocksApart } from "./clocks-apart.ts";

describeClocksApart([ahead, behind], 5);
