// Long: more tabs, and tabs without scripts; the quick one has two.
import "./tabs.test.ts";
