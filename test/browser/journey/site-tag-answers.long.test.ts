// Long: each foreign answer to each question; the quick one has the 401.
import "./site-tag-answers.test.ts";
