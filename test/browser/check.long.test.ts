// Long: providers, browsers that fail, and no scripts; the quick one has a browser's own check.
import "./check.test.ts";
