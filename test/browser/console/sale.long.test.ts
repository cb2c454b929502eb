// Long: the report after a sale, and roles; the quick one has what is left to do before it.
import "./sale.test.ts";
