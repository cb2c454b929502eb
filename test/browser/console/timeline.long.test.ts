// Long: pages of a long past; the quick one finds what happened.
import "./timeline.test.ts";
