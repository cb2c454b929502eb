// Long: no scripts, and no cookies; the quick one has the way there and back.
import "./links.test.ts";
