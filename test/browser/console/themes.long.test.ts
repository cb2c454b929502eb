// Long: further themes, widths and looks; the quick one leads through a preview.
import "./themes.test.ts";
