// Long: draws that are called off, missed, or not to be checked; the quick ones have a draw and its check.
import "./draw.test.ts";
