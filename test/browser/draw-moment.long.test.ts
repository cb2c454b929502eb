// Long: what is in the way of a draw; the quick one shows it whole.
import "./draw-moment.test.ts";
