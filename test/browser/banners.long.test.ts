// Long: every banner, half a minute of each; the quick one has three.
import "./banners.test.ts";
