// Long: a turn in the frame; the quick one has the choices, and pages turned by keys.
import "./preview.test.ts";
