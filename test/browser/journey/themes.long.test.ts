// Long: a theme on each screen; the quick one has its logo.
import "./themes.test.ts";
