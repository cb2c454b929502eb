// Long: each sample in two languages; the quick ones have one of them, and the chooser.
import "./languages.test.ts";
