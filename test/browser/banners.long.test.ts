// Long: every banner, half a minute of each; the quick one has one of each kind.
import "./banners.test.ts";
