// Long: stock that comes and goes while pages follow; the quick one has no scripts.
import "./sold-out.test.ts";
