// Long: each answer to each page; the quick ones have some, to two pages.
import "./foreign-answers.test.ts";
