import { ahead, describeClocksApart } from "./clocks-apart.ts";

describeClocksApart([ahead], 1);
