// Long: turns that are held or missed, and a crash, in real seconds; the quick one has a pause.
import "./turn.test.ts";
