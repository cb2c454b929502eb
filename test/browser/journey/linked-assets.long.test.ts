// Long: files that do not come; the quick one has files that do.
import "./linked-assets.test.ts";
