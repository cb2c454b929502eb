// Long: all that there is to see of a line; the quick ones have it move, pause and open, and no scripts.
import "./waiting-page.test.ts";
