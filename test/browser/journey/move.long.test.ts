// Long: a code that is scanned from each screen; the quick one has a place that goes and comes back.
import "./move.test.ts";
