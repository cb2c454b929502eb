// Long: real seconds, and no cookies; the quick one has no scripts.
import "./bare-browser.test.ts";
