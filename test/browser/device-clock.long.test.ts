// Long: each page at each wrong clock; the quick one has the turn and a held place at one.
import "./device-clock.test.ts";
