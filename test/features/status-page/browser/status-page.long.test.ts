// Long: further languages; the quick ones have one, on each screen.
import "./status-page.test.ts";
