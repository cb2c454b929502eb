// Long: every page that a translator rewrites; the quick one has the waiting page.
import "./translated.test.ts";
