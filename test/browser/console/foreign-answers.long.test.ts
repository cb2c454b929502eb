// Long: every foreign answer on every screen; the quick one has who is signed in.
import "./foreign-answers.test.ts";
