// Long: many tabs, and browsers that keep no key; the quick one has a visitor and a thief.
import "./device.test.ts";
