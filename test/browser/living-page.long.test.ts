// Long: minutes of a line, second by second; the quick one has a number that falls and stands still.
import "./living-page.test.ts";
