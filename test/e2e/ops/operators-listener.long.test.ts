// Long: asks for every path in every spelling, as operators-listener.test.ts asks for one in forty.
import { describeListeners } from "./operators-paths.ts";

describeListeners({});
