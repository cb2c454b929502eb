// Long: asks each address with markup in each of its places.
import { describeEchoes } from "./echoes.ts";

describeEchoes();
