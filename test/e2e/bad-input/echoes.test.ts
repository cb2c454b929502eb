import { describeEchoes } from "./echoes.ts";

describeEchoes(11);
