// Long: countdowns in real seconds, wrong clocks, an outage; the quick one has the guard.
import "./site-tag.test.ts";
