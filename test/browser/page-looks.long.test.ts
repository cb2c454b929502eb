// Long: each sample on each screen; the quick ones have some of each shape, by day and by night.
import "./page-looks.test.ts";
