// Long: a link without scripts; the quick one has it used, and used again.
import "./bypass.test.ts";
